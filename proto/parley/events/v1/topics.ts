import type { Event } from '../../../gen/parley/events/v1/events_pb.ts';

/** The name of an event, such as `trainingQueued`. */
export type EventType = NonNullable<Event['payload']['case']>;

export const KNOWLEDGE_TOPIC = 'parley.knowledge';
export const CONVERSATIONS_TOPIC = 'parley.conversations';
export const ASSISTANTS_TOPIC = 'parley.assistants';
export const WEBHOOKS_TOPIC = 'parley.webhooks';
export const AUTH_TOPIC = 'parley.auth';

/** Events of entities of any service. */
type Anywhere = 'quotaPassed';

/** The topic of each event: that of the service whose entity changed. */
export const TOPIC_OF: Readonly<Record<Exclude<EventType, Anywhere>, string>> = {
  knowledgeItemCreated: KNOWLEDGE_TOPIC,
  trainingQueued: KNOWLEDGE_TOPIC,
  trainingCompleted: KNOWLEDGE_TOPIC,
  trainingFailed: KNOWLEDGE_TOPIC,
  knowledgeItemDeleted: KNOWLEDGE_TOPIC,
  knowledgeItemChanged: KNOWLEDGE_TOPIC,
  chatStarted: CONVERSATIONS_TOPIC,
  ticketCreated: CONVERSATIONS_TOPIC,
  emailCreated: CONVERSATIONS_TOPIC,
  threadStatusChanged: CONVERSATIONS_TOPIC,
  threadPriorityChanged: CONVERSATIONS_TOPIC,
  threadMessageAdded: CONVERSATIONS_TOPIC,
  threadWaiting: CONVERSATIONS_TOPIC,
  visitorIdentified: CONVERSATIONS_TOPIC,
  answerVotedOn: CONVERSATIONS_TOPIC,
  chatMessageAdded: CONVERSATIONS_TOPIC,
  answerEnded: CONVERSATIONS_TOPIC,
  draftMade: CONVERSATIONS_TOPIC,
  mailEnded: CONVERSATIONS_TOPIC,
  userBlocked: CONVERSATIONS_TOPIC,
  assistantCreated: ASSISTANTS_TOPIC,
  assistantChanged: ASSISTANTS_TOPIC,
  assistantDeleted: ASSISTANTS_TOPIC,
  apiKeyCreated: AUTH_TOPIC,
  apiKeyRevoked: AUTH_TOPIC,
  webhookDisabled: WEBHOOKS_TOPIC,
};

/** The process that publishes to each topic, and no other does. */
export const PRODUCER_OF: Readonly<Record<string, string>> = {
  [KNOWLEDGE_TOPIC]: 'knowledge',
  [CONVERSATIONS_TOPIC]: 'conversations',
  [ASSISTANTS_TOPIC]: 'assistants',
  [AUTH_TOPIC]: 'auth',
  [WEBHOOKS_TOPIC]: 'events',
};

export const TOPICS: readonly string[] = [...new Set(Object.values(TOPIC_OF))];
