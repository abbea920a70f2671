import type { Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser } from '@parley/runtime/mongo';
import type { Bell } from './bell.ts';
import type { Stores } from './store/stores.ts';

/** The parts of the conversations service. Tests and the embedded mode can replace each. */
export interface Parts extends Stores {
  metrics: Metrics;
  bus: Bus;
  bell: Bell;
  eraser: AccountEraser;
}
