export { readConfig } from './config.ts';
export { createMail } from './create.ts';
