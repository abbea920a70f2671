/** Durable topics, and consumers of the events on them. */
export {
  ASSISTANTS_TOPIC,
  AUTH_TOPIC,
  CONVERSATIONS_TOPIC,
  KNOWLEDGE_TOPIC,
  TOPICS,
  WEBHOOKS_TOPIC,
} from '@parley/proto/events/v1/topics';
export { type Bus, type BusMessage, type Received, Rejected, type Subscription } from './bus.ts';
export { consume, type Handlers } from './consume.ts';
export { createDeletionRetry } from './dead-letters.ts';
export { runDeadLettersProgram } from './dead-letters-program.ts';
export { openBus } from './open-bus.ts';
export { signedBus } from './signed-bus.ts';
