import { createLoop, type Log, type Loop } from '@parley/runtime';
import type { Collection } from 'mongodb';
import type { WebhookDoc } from '../store/webhooks.ts';
import type { Secrets } from './secrets.ts';

const REST_MS = 3_600_000;

/**
 * Encrypts the secrets of webhooks with the current root secret, so that those before it can be given up. Again every hour, since
 * a process that still has the older settings may have encrypted some meanwhile.
 */
export const createResealing = (options: {
  webhooks: Collection<WebhookDoc>;
  secrets: Pick<Secrets, 'resealed'>;
  log: Log;
}): Loop =>
  createLoop({ name: 'resealing', restMs: REST_MS, log: options.log, round: (signal) => reseal(options, signal) });

async function reseal(
  { webhooks, secrets, log }: Parameters<typeof createResealing>[0],
  signal: AbortSignal,
): Promise<void> {
  let changed = 0;
  for await (const { _id, account, secrets: stored } of webhooks.find({}, { projection: { account: 1, secrets: 1 } })) {
    signal.throwIfAborted();
    const resealed = secrets.resealed({ _id, secrets: stored });
    if (!resealed) continue;
    // A secret that was renewed meanwhile is sealed with the current one already.
    const { modifiedCount } = await webhooks.updateOne(
      { _id, account, secrets: stored },
      { $set: { secrets: resealed } },
    );
    changed += modifiedCount;
  }
  log.info({ changed }, 'the secrets of webhooks are encrypted with PARLEY_SECRET');
}
