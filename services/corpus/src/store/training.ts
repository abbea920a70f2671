import { aborted, compute, type Fact, fromNow, LIVE, literal, outbox, ownedBy, passed, set } from '@parley/runtime';
import type { Document, Filter } from 'mongodb';
import { buildId, type KnowledgeItemDoc, type Progress } from '../model.ts';
import { type Collections, QUEUE_INDEX } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';

/** One claim of a training. It names its account, so what takes a job takes no account beside it. */
export interface TrainingJob {
  account: string;
  item: string;
  generation: number;
  fence: number;
  /** What this claim writes to, and nobody else: `buildId(item, fence)`. */
  build: string;
  /** The item as it was claimed. */
  document: KnowledgeItemDoc;
}

/** How long a claim lasts unless it is renewed. */
export const TRAINING_LEASE_MS = 30_000;

/** A training that was begun so often and never ended takes its worker down with it: it is failed. */
export const MAX_ATTEMPTS = 3;

const WORN_OUT = `The training was begun ${MAX_ATTEMPTS} times, and each time the process that worked on it died. The content may be too large: split it into smaller items, or train it again.`;
const TRIES = 5;
const NO_PROGRESS: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };
const WAITING = { ...LIVE, 'training.state': { $in: ['queued', 'running'] }, 'training.queued_at': { $type: 'date' } };

export type TrainingStore = ReturnType<typeof trainingStore>;

/** The queue of trainings, and the life of each: queued, running under a lease, idle again. */
export function trainingStore({ items, chunks }: Collections) {
  /**
   * Queues a training. While one is queued or runs nothing is started, but where the content has changed since the run
   * was claimed, the end of the run queues the next one. The same operation again is a success.
   */
  async function request(account: string, id: string, operation: string): Promise<KnowledgeItemDoc> {
    for (let tried = 0; tried < TRIES; tried++) {
      const item = await ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);
      const { state, fence } = item.training;
      if (item.training.operation === operation || state === 'queued') return item;
      if (state === 'running' && item.content_version === item.training.content_version) return item;

      const unchanged = { _id: id, account, ...LIVE, 'training.state': state, 'training.fence': fence };
      const asked = set({ 'training.operation': operation });
      const accepted = await items.findOneAndUpdate(
        { ...unchanged, generation: item.generation },
        state === 'running' ? [asked, set({ 'training.again': true })] : [asked, ...queued(item.generation + 1)],
        { returnDocument: 'after' },
      );
      if (accepted) return accepted;
    }
    throw aborted('The knowledge item is being changed by others. Try again.');
  }

  /**
   * Takes the best job that waits: of the account with the fewest running ones, the one queued first. A job whose
   * worker let its lease run out waits again. Reads without an account: the queue belongs to all of them.
   */
  async function claim(): Promise<TrainingJob | undefined> {
    for (;;) {
      const job = await claimBest();
      if (!job || job.document.training.attempts <= MAX_ATTEMPTS) return job;
      await fail(job, WORN_OUT);
    }
  }

  async function claimBest(): Promise<TrainingJob | undefined> {
    for (const account of await accountsByLoad()) {
      const item = await items.findOneAndUpdate({ ...WAITING, ...passed('training.until'), account }, claimed, {
        sort: { 'training.queued_at': 1 },
        hint: QUEUE_INDEX,
        returnDocument: 'after',
      });
      if (item) return jobOf(item);
    }
    return undefined;
  }

  /** Conditions on the account, those with the fewest running jobs first. */
  async function accountsByLoad(): Promise<Filter<string>[]> {
    const running = { ...WAITING, 'training.state': 'running', $expr: { $gt: ['$training.until', '$$NOW'] } };
    const byLoad = await items
      .aggregate<{ accounts: string[] }>([
        { $match: running },
        { $group: { _id: '$account', jobs: { $sum: 1 } } },
        { $group: { _id: '$jobs', accounts: { $push: '$_id' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    const busy = byLoad.flatMap(({ accounts }) => accounts);
    return [{ $nin: busy }, ...byLoad.map(({ accounts }) => ({ $in: accounts }))];
  }

  async function update(job: TrainingJob, stages: Document[], also: Filter<KnowledgeItemDoc> = {}): Promise<boolean> {
    return (await items.updateOne({ ...held(job), ...also }, stages)).matchedCount === 1;
  }

  /** Begins the lease anew. False: it was lost, or the item is gone. */
  const renew = (job: TrainingJob) => update(job, [compute({ 'training.until': fromNow(TRAINING_LEASE_MS) })]);

  const reportProgress = (job: TrainingJob, progress: Progress) =>
    update(job, [set({ 'training.progress': progress })]);

  /** Makes the job's build the one that answers. False: the lease was lost, and nothing has changed. */
  async function publish(job: TrainingJob, model: string | null): Promise<boolean> {
    const { account, build, generation } = job;
    const count = await chunks.countDocuments({ account, build });
    const live = { build: literal(build), chunks: count, model: literal(model), trained_at: '$$NOW' };
    const published = [
      compute({ live, trained_at: '$$NOW' }),
      set({ training_failed_at: null, training_failed_with: null }),
    ];
    const fact: Fact = { case: 'trainingCompleted', value: { generation, chunks: count } };
    if (await end(job, [...published, ...outbox(fact)])) return true;
    // The answer to an earlier try may have been lost.
    return (await items.findOne({ _id: job.item, account, ...LIVE, 'live.build': build })) !== null;
  }

  /** Ends the training with a sentence that a person can act on; what was live stays. False: the lease was lost. */
  async function fail(job: TrainingJob, reason: string): Promise<boolean> {
    const failed = [set({ trained_at: null, training_failed_with: reason }), compute({ training_failed_at: '$$NOW' })];
    return end(job, [...failed, ...outbox({ case: 'trainingFailed', value: { generation: job.generation, reason } })]);
  }

  /** `again` only ever rises while a claim is held, so one of the two filters matches, or the lease was lost. */
  async function end(job: TrainingJob, outcome: Document[]): Promise<boolean> {
    const ended = [...outcome, ...idle];
    return (
      (await update(job, ended, { 'training.again': false })) ||
      (await update(job, [...ended, ...queued(job.generation + 1)], { 'training.again': true }))
    );
  }

  /** Puts the job back in its place in the queue, as if it had not been claimed: for a worker that is told to stop. */
  const release = (job: TrainingJob) =>
    update(job, [
      set({ 'training.state': 'queued', 'training.until': null, 'training.again': false }),
      compute({ 'training.attempts': { $subtract: ['$training.attempts', 1] } }),
    ]);

  /** Seconds that the first job in the queue has waited; 0 where none waits. Reads without an account. */
  async function oldestQueuedAge(): Promise<number> {
    const [oldest] = await items
      .aggregate<{ ms: number }>([
        { $match: { ...WAITING, ...passed('training.until') } },
        { $sort: { 'training.queued_at': 1 } },
        { $limit: 1 },
        { $project: { ms: { $subtract: ['$$NOW', '$training.queued_at'] } } },
      ])
      .toArray();
    return (oldest?.ms ?? 0) / 1000;
  }

  return { request, claim, renew, reportProgress, publish, fail, release, oldestQueuedAge };
}

/** Filter: the item is there, and this claim of it is the last one. */
export const held = ({ account, item, fence }: TrainingJob) => ({
  _id: item,
  account,
  ...LIVE,
  'training.state': 'running' as const,
  'training.fence': fence,
});

const jobOf = (document: KnowledgeItemDoc): TrainingJob => {
  const { _id: item, account, generation } = document;
  const { fence } = document.training;
  return { account, item, generation, fence, build: buildId(item, fence), document };
};

const queued = (generation: number): Document[] => [
  set({
    generation,
    trained_at: null,
    training_failed_at: null,
    training_failed_with: null,
    'training.state': 'queued',
    'training.attempts': 0,
    'training.until': null,
    'training.again': false,
    'training.progress': NO_PROGRESS,
  }),
  compute({ 'training.queued_at': '$$NOW' }),
  ...outbox({ case: 'trainingQueued', value: { generation } }),
];

const claimed: Document[] = [
  set({ 'training.state': 'running', 'training.again': false, 'training.progress': NO_PROGRESS }),
  compute({
    'training.until': fromNow(TRAINING_LEASE_MS),
    'training.fence': { $add: ['$training.fence', 1] },
    'training.attempts': { $add: ['$training.attempts', 1] },
    'training.content_version': '$content_version',
  }),
];

const idle: Document[] = [
  set({ 'training.state': 'idle', 'training.queued_at': null, 'training.until': null, 'training.again': false }),
  compute({ builds_due: '$$NOW' }),
];
