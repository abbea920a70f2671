import type { Event } from '../../../gen/parley/events/v1/events_pb.ts';

/** The name of a fact, such as `trainingQueued`. */
export type FactCase = NonNullable<Event['fact']['case']>;

export const KNOWLEDGE_TOPIC = 'parley.knowledge';
export const CONVERSATIONS_TOPIC = 'parley.conversations';
export const ASSISTANTS_TOPIC = 'parley.assistants';

/** The topic of each fact: that of the service whose entity changed. */
export const TOPIC_OF: Readonly<Record<FactCase, string>> = {
  knowledgeItemCreated: KNOWLEDGE_TOPIC,
  trainingQueued: KNOWLEDGE_TOPIC,
  trainingCompleted: KNOWLEDGE_TOPIC,
  trainingFailed: KNOWLEDGE_TOPIC,
  knowledgeItemDeleted: KNOWLEDGE_TOPIC,
  chatStarted: CONVERSATIONS_TOPIC,
  ticketCreated: CONVERSATIONS_TOPIC,
  emailCreated: CONVERSATIONS_TOPIC,
  threadStatusChanged: CONVERSATIONS_TOPIC,
  threadPriorityChanged: CONVERSATIONS_TOPIC,
  assistantDeleted: ASSISTANTS_TOPIC,
};

export const TOPICS: readonly string[] = [...new Set(Object.values(TOPIC_OF))];
