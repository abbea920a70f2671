export { readConfig } from './config.ts';
export { createKnowledge } from './create.ts';
