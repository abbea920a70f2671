/** The only way to reach an address that a user gave. */
export { createOutboundClient, type Fetched, type Head, type OutboundClient, type OutboundConfig } from './client.ts';
export { createOutboundClients, type OutboundClients } from './clients.ts';
export { type AllowList, allowFor, parseAllowList, vetUrl } from './guard.ts';
export { OutboundError, type OutboundFailure } from './outbound-error.ts';
export { readAllowList } from './read-allow-list.ts';
