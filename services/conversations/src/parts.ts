import type { Bus, Metrics } from '@parley/runtime';
import type { Beginnings } from './beginnings.ts';
import type { Chats } from './store/chats.ts';
import type { Turns } from './store/turns.ts';

/** What the conversations service is made of; tests and the embedded mode put their own in its place. */
export interface Parts {
  metrics: Metrics;
  bus: Bus;
  chats: Chats;
  turns: Turns;
  beginnings: Beginnings;
}
