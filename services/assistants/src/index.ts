export { readConfig } from './config.ts';
export { createAssistants } from './create.ts';
export { runSeedProgram } from './seed-program.ts';
