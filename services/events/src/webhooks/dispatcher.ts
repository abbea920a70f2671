import { accountShare, createLoop, createTally, type Loop } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import type { WebhookDoc } from '../store/webhooks.ts';
import { type Delivering, takeTurn } from './turn.ts';

/** Latest time at which an endpoint that is due again is noticed. */
const REST_MS = 1_000;
/** A stop waits for requests in progress, and for what they change. */
const STOP_MARGIN_MS = 5_000;

/**
 * Delivers to the endpoints that are due, many at a time, each in its own turn: one that is slow delays only itself. No account
 * takes more than half of the turns. Every replica may run it.
 *
 * @param options.endpoints worked on at a time
 * @param options.timeoutMs of a request
 */
export function createDispatcher(parts: Delivering, options: { endpoints: number; timeoutMs: number }): Loop {
  const { queue, log } = parts;
  const inProgress = new Set<Promise<unknown>>();
  const byAccount = createTally();
  const busy = new Set<string>();
  let turns = 0;
  let isStopping = false;

  function count(account: string, change: 1 | -1): void {
    turns += change;
    byAccount.add(account, change);
    if (byAccount.of(account) >= accountShare(options.endpoints)) busy.add(account);
    else busy.delete(account);
  }

  /** Begins a turn. Resolves to whether there was an endpoint that is due. */
  function begin(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const work = queue
        .workOnNext([...busy], new AbortController().signal, async (webhook, claimed, signal) => {
          count(webhook.account, 1);
          resolve(true);
          await takeTurn(parts, webhook, claimed, { isStopping: () => isStopping, signal })
            .catch((error) => report(webhook, error))
            .finally(() => count(webhook.account, -1));
          // There is room for another one.
          loop.wake();
        })
        .then(resolve, reject)
        .finally(() => inProgress.delete(work));
      inProgress.add(work);
    });
  }

  /** It is due again when the claim ends. */
  function report({ account, _id }: WebhookDoc, error: unknown): void {
    if (!(error instanceof LeaseLost)) log.warn({ err: error, account, webhook: _id }, 'a turn of deliveries failed');
  }

  async function round(): Promise<boolean> {
    if (turns >= options.endpoints) return false;
    return begin();
  }

  const loop = createLoop({ name: 'webhooks', restMs: REST_MS, log, round });
  return {
    ...loop,
    stopMs: options.timeoutMs + STOP_MARGIN_MS,
    async stop() {
      isStopping = true;
      await loop.stop();
      await Promise.all(inProgress);
    },
  };
}
