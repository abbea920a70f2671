import { compute, fromNow, LIVE, literal, set } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { KnowledgeItemDoc, LiveBuild } from '../model.ts';
import { type Collections, MODEL_INDEX } from './collections.ts';
import { held, jobOf, TRAINING_LEASE_MS, type TrainingJob } from './queue.ts';

/** After the lease of a worker that died: what it worked on may be why. */
const REST_AFTER_DEATH_MS = 600_000;

export type ReembeddingStore = ReturnType<typeof reembeddingStore>;

/**
 * Live builds whose vectors another model made than those of new builds. Their chunks are embedded again in the
 * background, without loading the sources: the item stays trained, and a training that is requested meanwhile takes the
 * item over at once.
 */
export function reembeddingStore({ items }: Collections) {
  /**
   * Claims an item that is not being trained and whose live build has none of the given models. Reads without an account.
   */
  async function claim(models: readonly string[]): Promise<TrainingJob | undefined> {
    const outdated = {
      ...LIVE,
      live: { $type: 'object' },
      'live.model': { $nin: [...models] },
      'training.state': { $in: ['idle', 're-embedding'] },
      $expr: { $lte: [{ $ifNull: [NOT_BEFORE, new Date(0)] }, '$$NOW'] },
    } as Filter<KnowledgeItemDoc>;
    const item = await items.unlisted.findOneAndUpdate(outdated, claimed, {
      hint: MODEL_INDEX,
      returnDocument: 'after',
    });
    return item ? jobOf(item) : undefined;
  }

  const update = async (job: TrainingJob, stages: Document[]): Promise<boolean> =>
    (await items.unlisted.updateOne({ ...held(job), 'live.build': job.document.live!.build }, stages)).matchedCount ===
    1;

  /**
   * Makes the job's build live in place of the one that it was made from. False if the lease was lost. Its file counts, but is
   * not refused: the owner has asked for nothing.
   */
  async function publish(job: TrainingJob, { model, file }: Pick<LiveBuild, 'model' | 'file'>): Promise<boolean> {
    const live = { 'live.build': literal(job.build), 'live.model': literal(model), 'live.file': literal(file) };
    const added = file.bytes - job.document.live!.file.bytes;
    return items.write(
      async () => {
        const isPublished = await update(job, [compute({ ...live, builds_due: '$$NOW' }), ...idle(0)]);
        return { result: isPublished, changed: [], counted: isPublished ? { index_bytes: added } : {} };
      },
      { account: job.account, most: {} },
    );
  }

  /** Leaves the item as it was, and alone for a while. False if the lease was lost. */
  const release = (job: TrainingJob, restMs: number): Promise<boolean> =>
    update(job, [compute({ builds_due: '$$NOW' }), ...idle(restMs)]);

  return { claim, publish, release };
}

const NOT_BEFORE = {
  $cond: [
    { $eq: ['$training.state', 're-embedding'] },
    { $add: ['$training.until', REST_AFTER_DEATH_MS] },
    '$training.until',
  ],
};

const claimed: Document[] = [
  set({ 'training.state': 're-embedding' }),
  compute({
    'training.until': fromNow(TRAINING_LEASE_MS),
    // The pages that clients see remain those of the latest training.
    'training.pages_fence': { $ifNull: ['$training.pages_fence', '$training.fence'] },
    'training.fence': { $add: ['$training.fence', 1] },
  }),
];

const idle = (restMs: number): Document[] => [
  set({ 'training.state': 'idle' }),
  compute({ 'training.until': restMs > 0 ? fromNow(restMs) : null }),
];
