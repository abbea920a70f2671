export { type AssistantsConfig, type ModelConfig, readConfig, readModelConfig } from './config.ts';
export { createAssistants } from './create.ts';
export { NO_EVIDENCE } from './domain/cite.ts';
export { runSeedProgram } from './seed-program.ts';
