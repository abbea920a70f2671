export { readConfig } from './config.ts';
export { createGateway } from './create.ts';
