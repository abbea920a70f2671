/** Durable topics, and consumers of the events on them. */
export { ASSISTANTS_TOPIC, CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC } from '@parley/proto/events/v1/topics';
export type { Bus, BusMessage, Received, Subscription } from './bus.ts';
export { consume } from './consume.ts';
export { runDeadLettersProgram } from './dead-letters-program.ts';
export { openBus } from './open-bus.ts';
