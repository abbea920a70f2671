export { type AuthConfig, readConfig } from './config.ts';
export { createAuth } from './create.ts';
