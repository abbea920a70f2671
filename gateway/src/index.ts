export { DEFAULT_LIMITS, type GatewayConfig, readConfig } from './config.ts';
export { createGateway } from './create.ts';
