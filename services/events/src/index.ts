export { type EventsConfig, readConfig } from './config.ts';
export { createEvents } from './create.ts';
