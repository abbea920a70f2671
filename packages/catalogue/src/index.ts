/** The events that accounts read: names, schemas and examples. */

export { CATALOGUE, type DataOf, EVENT_NAMES, type EventName, isEventName } from './catalogue.ts';
