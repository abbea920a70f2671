export type { ConversationsConfig } from './config.ts';
export { createConversations } from './create.ts';
