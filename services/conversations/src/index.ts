export { readConfig } from './config.ts';
export { createConversations } from './create.ts';
