import { createLoop, type Log, type Loop } from '@parley/runtime';
import { LIVE, set } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import type { Collections } from './collections.ts';
import { queued } from './training.ts';

const REST_MS = 10_000;
const BATCH = 100;

/** Filter: idle, and its time to be trained again has come by the database's clock. */
const DUE = {
  ...LIVE,
  'training.state': 'idle' as const,
  retrain_due: { $type: 'date' as const },
  $expr: { $lte: ['$retrain_due', '$$NOW'] },
};

/**
 * Queues the trainings of websites that train again by themselves (`retrain_every`), of all accounts. Every replica may run
 * it: each training is queued by one conditional write, whoever comes first.
 */
export const createRetraining = ({ collections, log }: { collections: Collections; log: Log }): Loop =>
  createLoop({ name: 'retraining', restMs: REST_MS, log, round: () => queueDue(collections) });

/** One round. True if more may be due. */
export async function queueDue({ items }: Pick<Collections, 'items'>): Promise<boolean> {
  const due = await items
    .find(DUE, { sort: { retrain_due: 1 }, limit: BATCH, projection: { _id: 1, account: 1, generation: 1 } })
    .toArray();
  for (const { _id, account, generation } of due) {
    const asked = set({ 'training.operation': randomId() });
    await items.updateOne({ ...DUE, _id, account, generation }, [asked, ...queued(generation + 1)]);
  }
  return due.length === BATCH;
}
