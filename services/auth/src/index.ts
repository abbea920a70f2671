export type { AuthConfig } from './config.ts';
export { createAuth } from './create.ts';
