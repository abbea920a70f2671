export type { KnowledgeConfig } from './config.ts';
export { createKnowledge } from './create.ts';
