export { readConfig, type TrainerConfig } from './config.ts';
export { createTrainer } from './create.ts';
