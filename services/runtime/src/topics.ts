/** The bus topics of domain events, one for each service that has facts to tell. */
export const KNOWLEDGE_TOPIC = 'parley.knowledge';
export const CONVERSATIONS_TOPIC = 'parley.conversations';
