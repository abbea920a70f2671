export { readConfig } from './config.ts';
export { createEvents } from './create.ts';
