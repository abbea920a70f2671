export { readConfig } from './config.ts';
export { createTrainer } from './create.ts';
