import { createLoop, type Log, type Loop, randomId } from '@parley/runtime';
import { LIVE, set } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import type { KnowledgeItemDoc } from '../model.ts';
import type { Collections } from './collections.ts';
import { queued } from './training.ts';

const REST_MS = 10_000;
const BATCH = 100;

const IS_IDLE = { $eq: ['$training.state', 'idle'] };
const HAS_EXPIRED = { $lte: ['$training.until', '$$NOW'] };

/**
 * Filter: the time to be trained again has come by the database's clock, and nothing is under way. A worker that renews the
 * vectors may have died, and no other one may have a reason to take its place.
 */
const DUE = {
  ...LIVE,
  'training.state': { $in: ['idle', 're-embedding'] },
  retrain_due: { $type: 'date' },
  $expr: { $and: [{ $lte: ['$retrain_due', '$$NOW'] }, { $or: [IS_IDLE, HAS_EXPIRED] }] },
} satisfies Filter<KnowledgeItemDoc>;

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
    await items.unlisted.updateOne({ ...DUE, _id, account, generation }, [asked, ...queued(generation + 1)]);
  }
  return due.length === BATCH;
}
