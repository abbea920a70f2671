export { runAccountProgram } from './account-program.ts';
export { readConfig } from './config.ts';
export { createAuth } from './create.ts';
