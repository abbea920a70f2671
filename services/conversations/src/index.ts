export { type ConversationsConfig, readConfig } from './config.ts';
export { createConversations } from './create.ts';
