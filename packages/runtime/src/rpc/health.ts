import { EventEmitter, on } from 'node:events';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@parley/proto/grpc/health/v1/health_pb';
import { notFound } from '../errors.ts';
import { linkedSignal } from '../linked-signal.ts';
import { type RpcService, service } from './rpc.ts';

export interface HealthService {
  service: RpcService;
  setServing(serving: boolean): void;
  /** Reports NOT_SERVING from now on and ends the watches. */
  end(): void;
}

/** `grpc.health.v1.Health` for the given services. They share one status, which is NOT_SERVING at first. */
export function healthService(services: string[]): HealthService {
  const known = new Set(['', ...services]);
  const changes = new EventEmitter().setMaxListeners(0);
  const ended = new AbortController();
  let serving = false;

  const statusOf = (name: string) => {
    if (!known.has(name)) return Status.SERVICE_UNKNOWN;
    return serving ? Status.SERVING : Status.NOT_SERVING;
  };

  function setServing(next: boolean) {
    if (next === serving || ended.signal.aborted) return;
    serving = next;
    changes.emit('change');
  }

  return {
    setServing,
    end() {
      setServing(false);
      ended.abort();
    },
    service: service(Health, {
      async check(request) {
        if (!known.has(request.service)) throw notFound(`This server has no service ${request.service}.`);
        return { status: statusOf(request.service) };
      },
      async *watch(request, call) {
        using watched = linkedSignal([call.signal, ended.signal]);
        const changed = on(changes, 'change', { signal: watched.signal });
        try {
          yield { status: statusOf(request.service) };
          for await (const _ of changed) yield { status: statusOf(request.service) };
        } catch (error) {
          if (!ended.signal.aborted) throw error;
        } finally {
          // Otherwise a watch that ends before its first change would leak its listener.
          await changed.return?.();
        }
      },
    }),
  };
}
