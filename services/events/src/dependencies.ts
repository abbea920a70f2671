import type { Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser } from '@parley/runtime/mongo';
import type { EventStore } from './store/events.ts';

/** The parts of the events service. Tests and the embedded mode can replace each. */
export interface Dependencies {
  metrics: Metrics;
  bus: Bus;
  events: EventStore;
  eraser: AccountEraser;
}
