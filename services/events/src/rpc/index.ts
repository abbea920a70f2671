import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as deliveries from './deliveries.ts';
import * as listEvents from './list-events.ts';
import * as webhooks from './webhooks.ts';

const FILES = [listEvents, webhooks, deliveries] as const;

/** The RPCs of the events service. */
export const rpcs = (dependencies: Dependencies): RpcService =>
  service(EventsService, handlersOf(dependencies, ...FILES));
