import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Metrics, Notifier } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { RpcClient } from '@parley/runtime/rpc';
import type { Stores } from './store/stores.ts';

/** The parts of the conversations service. Tests and the embedded mode can replace each. */
export interface Dependencies extends Stores {
  metrics: Metrics;
  bus: Bus;
  assistants: Pick<RpcClient<typeof AssistantsService>, 'assistantExists'>;
  objects: ObjectStore;
  notifier: Notifier;
  eraser: AccountEraser;
}
