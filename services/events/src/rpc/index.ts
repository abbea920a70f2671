import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as listEvents from './list-events.ts';

const FILES = [listEvents] as const;

/** The RPCs of the events service. */
export const rpcs = (dependencies: Dependencies): RpcService =>
  service(EventsService, handlersOf(dependencies, ...FILES));
