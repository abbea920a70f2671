/** Durable topics, and consumers of the events on them. */
export {
  ASSISTANTS_TOPIC,
  AUTH_TOPIC,
  CONVERSATIONS_TOPIC,
  KNOWLEDGE_TOPIC,
  WEBHOOKS_TOPIC,
} from '@parley/proto/events/v1/topics';
export { type Bus, Rejected } from './bus.ts';
export { consume, type Handlers } from './consume.ts';
export { createDeletionRetry } from './dead-letters.ts';
export { runDeadLettersProgram } from './dead-letters-program.ts';
export { openBus } from './open-bus.ts';
export { signedBus } from './signed-bus.ts';
