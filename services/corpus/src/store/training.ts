import { aborted } from '@parley/runtime';
import { compute, type Fact, fromNow, LIVE, literal, outbox, ownedBy, passed, set } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { buildId, type KnowledgeItemDoc, type LiveBuild, type Progress } from '../model.ts';
import { type Collections, QUEUE_INDEX } from './collections.ts';
import { countChanges } from './faq-items.ts';
import { KNOWLEDGE_ITEM } from './items.ts';
import { retrainDue } from './retrain-due.ts';

/** One claim of a training. It names its account, so functions that take a job need no account. */
export interface TrainingJob {
  account: string;
  item: string;
  generation: number;
  fence: number;
  /** The build that only this claim writes: `buildId(item, fence)`. */
  build: string;
  /** The item as it was claimed. */
  document: KnowledgeItemDoc;
}

/** How long a claim lasts unless it is renewed. */
export const TRAINING_LEASE_MS = 30_000;

/** A training fails after its worker has died this often without progress. */
export const MAX_ATTEMPTS = 3;

const WORKERS_DIED = `The training was begun ${MAX_ATTEMPTS} times without getting further, and each time the process that worked on it died. The content may be too large: split it into smaller items, or train it again.`;
const TRIES = 5;
const NO_PROGRESS: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };
const WAITING = { ...LIVE, 'training.state': { $in: ['queued', 'running'] }, 'training.queued_at': { $type: 'date' } };

/** What a run reports about the build that it publishes. */
export type Published = Pick<LiveBuild, 'dimension' | 'characters' | 'sources' | 'calibration'> & {
  notes?: readonly string[];
};

export type TrainingStore = ReturnType<typeof trainingStore>;

/** The queue of trainings, and the states of each: queued, running under a lease, idle. */
export function trainingStore({ items, faqItems, chunks }: Collections) {
  /**
   * Queues a training. While one is queued or running, nothing is started; but if the content has changed since the run
   * was claimed, the end of the run queues the next one. Idempotent by operation.
   */
  async function request(account: string, id: string, operation: string): Promise<KnowledgeItemDoc> {
    for (let tried = 0; tried < TRIES; tried++) {
      const item = await ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);
      const { state, fence } = item.training;
      if (item.training.operation === operation || state === 'queued') return item;
      if (state === 'running' && item.content_version === item.training.content_version) {
        if (await countChanges({ items, faqItems }, account, id)) continue;
        return item;
      }

      const unchanged = { _id: id, account, ...LIVE, 'training.state': state, 'training.fence': fence };
      const asked = set({ 'training.operation': operation });
      const accepted = await items.findOneAndUpdate(
        { ...unchanged, generation: item.generation },
        state === 'running' ? [asked, set({ 'training.again': true })] : [asked, ...queued(item.generation + 1)],
        { returnDocument: 'after' },
      );
      if (accepted) return accepted;
    }
    throw aborted('The knowledge item is being changed by other requests. Try again.');
  }

  /**
   * Claims the best waiting job: the first one queued of the account with the fewest running jobs. A job whose lease has
   * expired is waiting again. Reads without an account: all accounts share the queue.
   *
   * @param except accounts whose jobs to leave to other workers.
   */
  async function claim(except: readonly string[] = []): Promise<TrainingJob | undefined> {
    for (;;) {
      const job = await claimBest(except);
      if (!job || job.document.training.attempts <= MAX_ATTEMPTS) return job;
      await fail(job, WORKERS_DIED);
    }
  }

  async function claimBest(except: readonly string[]): Promise<TrainingJob | undefined> {
    for (const account of await accountsByLoad(except)) {
      const item = await items.findOneAndUpdate({ ...WAITING, ...passed('training.until'), account }, claimed, {
        sort: { 'training.queued_at': 1 },
        hint: QUEUE_INDEX,
        returnDocument: 'after',
      });
      if (item) return jobOf(item);
    }
    return undefined;
  }

  /** Filters on the account, those with the fewest running jobs first. */
  async function accountsByLoad(except: readonly string[]): Promise<Filter<string>[]> {
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
    const others = (accounts: string[]) => accounts.filter((account) => !except.includes(account));
    return [{ $nin: [...busy, ...except] }, ...byLoad.map(({ accounts }) => ({ $in: others(accounts) }))];
  }

  async function update(job: TrainingJob, stages: Document[], also: Filter<KnowledgeItemDoc> = {}): Promise<boolean> {
    return (await items.updateOne({ ...held(job), ...also }, stages)).matchedCount === 1;
  }

  /** Renews the lease. False if it was lost or the item is gone. */
  const renew = (job: TrainingJob) => update(job, [compute({ 'training.until': fromNow(TRAINING_LEASE_MS) })]);

  /** A run that gets further than any before it resets the count of attempts. */
  const reportProgress = (job: TrainingJob, progress: Progress) =>
    update(job, [
      set({ 'training.progress': progress }),
      compute({
        'training.claims': { $cond: [{ $gt: [progress.sources_done, REACHED] }, [job.fence], CLAIMS] },
        'training.reached': { $max: [progress.sources_done, REACHED] },
      }),
      countAttempts,
    ]);

  /** Makes the job's build live. False if the lease was lost; then nothing has changed. */
  async function publish(job: TrainingJob, model: string | null, about: Published = {}): Promise<boolean> {
    const { account, build, generation } = job;
    const { notes = [], ...measured } = about;
    const count = await chunks.countDocuments({ account, build });
    const live = {
      build: literal(build),
      chunks: count,
      model: literal(model),
      ...measured,
      content_version: '$training.content_version',
      trained_at: '$$NOW',
    };
    const published = [
      compute({ live, trained_at: '$$NOW' }),
      set({ training_failed_at: null, training_failed_with: null, training_notes: notes }),
    ];
    const fact: Fact = { case: 'trainingCompleted', value: { generation, chunks: count } };
    if (await end(job, [...published, ...outbox(fact)])) return true;
    // An earlier attempt may have succeeded, and only its answer been lost.
    return (await items.findOne({ _id: job.item, account, ...LIVE, 'live.build': build })) !== null;
  }

  /** Fails the training with a sentence that a person can act on; the live build stays. False if the lease was lost. */
  async function fail(job: TrainingJob, reason: string, notes: readonly string[] = []): Promise<boolean> {
    const failed = [
      set({ trained_at: null, training_failed_with: reason, training_notes: notes }),
      compute({ training_failed_at: '$$NOW' }),
    ];
    return end(job, [...failed, ...outbox({ case: 'trainingFailed', value: { generation: job.generation, reason } })]);
  }

  /** While a claim is held, `again` only turns true, so one of the two filters matches unless the lease was lost. */
  async function end(job: TrainingJob, outcome: Document[]): Promise<boolean> {
    const ended = [...outcome, ...idle];
    return (
      (await update(job, ended, { 'training.again': false })) ||
      (await update(job, [...ended, ...queued(job.generation + 1)], { 'training.again': true }))
    );
  }

  /** Returns the job to its place in the queue, as if it had not been claimed: for a worker that is stopping. */
  const release = (job: TrainingJob) =>
    update(job, [
      set({ 'training.state': 'queued', 'training.until': null, 'training.again': false }),
      ...withoutClaim(job),
    ]);

  /**
   * Stops counting this claim as an attempt: for a live worker that lost its lease because the database failed. False if
   * it no longer counts. Idempotent.
   */
  async function forgive(job: TrainingJob): Promise<boolean> {
    const { item: _id, account, generation, fence } = job;
    const counted = { _id, account, ...LIVE, generation, 'training.claims': fence };
    return (await items.updateOne(counted, withoutClaim(job))).matchedCount === 1;
  }

  /** Seconds that the oldest job in the queue has waited; 0 if none is waiting. Reads without an account. */
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

  return { request, claim, renew, reportProgress, publish, fail, release, forgive, oldestQueuedAge };
}

/** Filter: the item exists, and this is its latest claim. */
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

// Absent if an earlier version queued the training.
const CLAIMS = { $ifNull: ['$training.claims', []] };
const REACHED = { $ifNull: ['$training.reached', 0] };
const countAttempts = compute({ 'training.attempts': { $size: CLAIMS } });
const withoutClaim = ({ fence }: TrainingJob): Document[] => [
  compute({ 'training.claims': { $filter: { input: CLAIMS, cond: { $ne: ['$$this', fence] } } } }),
  countAttempts,
];

/** Pipeline stages that queue the training of a generation. */
export const queued = (generation: number): Document[] => [
  set({
    generation,
    trained_at: null,
    training_failed_at: null,
    training_failed_with: null,
    training_notes: [],
    'training.state': 'queued',
    'training.attempts': 0,
    'training.claims': [],
    'training.reached': 0,
    'training.until': null,
    'training.again': false,
    'training.progress': NO_PROGRESS,
  }),
  compute({ 'training.queued_at': '$$NOW', retrain_due: retrainDue('$$NOW') }),
  ...outbox({ case: 'trainingQueued', value: { generation } }),
];

const claimed: Document[] = [
  set({ 'training.state': 'running', 'training.again': false, 'training.progress': NO_PROGRESS }),
  compute({
    'training.until': fromNow(TRAINING_LEASE_MS),
    'training.fence': { $add: ['$training.fence', 1] },
    'training.claims': { $concatArrays: [CLAIMS, [{ $add: ['$training.fence', 1] }]] },
    'training.content_version': '$content_version',
  }),
  countAttempts,
];

const idle: Document[] = [
  set({ 'training.state': 'idle', 'training.queued_at': null, 'training.until': null, 'training.again': false }),
  compute({ builds_due: '$$NOW', retrain_due: retrainDue('$$NOW') }),
];
