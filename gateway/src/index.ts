export { DEFAULT_LIMITS, type GatewayConfig } from './config.ts';
export { createGateway } from './create.ts';
