export { runAccountProgram } from './account-program.ts';
export { type AuthConfig, readConfig } from './config.ts';
export { createAuth } from './create.ts';
