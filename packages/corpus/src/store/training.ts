import { aborted, activeTrace, deriveId } from '@parley/runtime';
import { compute, type EventPayload, fromNow, LIVE, literal, outbox, ownedBy, set, whole } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { EmbeddingUsage, KnowledgeItemDoc, LiveBuild, Progress } from '../model.ts';
import type { Collections } from './collections.ts';
import { countChanges } from './faq-items.ts';
import { KNOWLEDGE_ITEM } from './items.ts';
import {
  CLAIMS,
  countAttempts,
  held,
  NO_PROGRESS,
  TRAINING_LEASE_MS,
  type TrainingJob,
  trainingQueue,
  type Wanted,
} from './queue.ts';
import { retrainDue } from './retrain-due.ts';
import { indexOf } from './usage.ts';

/** A training fails after its worker has died this often without progress. */
export const MAX_ATTEMPTS = 3;

const WORKERS_DIED = `Training crashed ${MAX_ATTEMPTS} times without progress. The content may be too large: split it into smaller items, or train it again.`;
const TRIES = 5;

/** How often a training is postponed without getting further: over 17 minutes. */
export const MAX_RETRIES = 6;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 4;
const LONGEST_PAUSE_MS = 600_000;

/** A run's report about the build that it publishes. */
export type Published = Pick<LiveBuild, 'file' | 'model' | 'chunks' | 'sources'> & { notes?: readonly string[] };

export type TrainingStore = ReturnType<typeof trainingStore>;

/** The queue of trainings, and the states of each: queued, running under a lease, idle. */
export function trainingStore(c: Collections) {
  const { items, faqItems } = c;
  const queue = trainingQueue(c);

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
      const accepted = await items.unlisted.findOneAndUpdate(
        { ...unchanged, generation: item.generation },
        state === 'running' ? [asked, set({ 'training.again': true })] : [asked, ...queued(item.generation + 1)],
        { returnDocument: 'after' },
      );
      if (accepted) return accepted;
    }
    throw aborted('The knowledge item is being changed by other requests. Try again.');
  }

  /** Queues a training because the file of the live build is damaged: nothing is taken over from it. */
  async function repair(account: string, id: string, build: string): Promise<void> {
    const damaged = { _id: id, account, ...LIVE, 'live.build': build };
    const { matchedCount } = await items.unlisted.updateOne(damaged, { $set: { 'live.damaged': true } });
    if (matchedCount === 1) await request(account, id, deriveId(build, 'damaged'));
  }

  /**
   * Claims the best waiting job, and fails those whose workers died too often. Reads without an account: all accounts
   * share the queue.
   */
  async function claim(wanted: Wanted = {}): Promise<TrainingJob | undefined> {
    for (;;) {
      const job = await queue.claimNext(wanted);
      if (!job || job.document.training.attempts <= MAX_ATTEMPTS) return job;
      await fail(job, WORKERS_DIED);
    }
  }

  async function update(job: TrainingJob, stages: Document[], also: Filter<KnowledgeItemDoc> = {}): Promise<boolean> {
    return (await items.unlisted.updateOne({ ...held(job), ...also }, stages)).matchedCount === 1;
  }

  /** Renews the lease. False if it was lost or the item is gone. */
  const renew = (job: TrainingJob) => update(job, [compute({ 'training.until': fromNow(TRAINING_LEASE_MS) })]);

  /** A run that gets further than any before it resets the counts of attempts and retries. */
  const reportProgress = (job: TrainingJob, progress: Progress) =>
    update(job, [
      set({ 'training.progress': progress }),
      compute({
        'training.claims': { $cond: [{ $gt: [progress.sources_done, REACHED] }, [job.fence], CLAIMS] },
        'training.retries': { $cond: [{ $gt: [progress.sources_done, REACHED] }, 0, RETRIES] },
        'training.reached': { $max: [progress.sources_done, REACHED] },
      }),
      countAttempts,
    ]);

  /**
   * Makes the job's build live. False if the lease was lost; then nothing has changed.
   *
   * @throws AppError `permission_denied` if the account has no room for its chunks, or for its file
   */
  async function publish(job: TrainingJob, { notes = [], model, file, ...measured }: Published): Promise<boolean> {
    const { account, build, generation } = job;
    const live = {
      build: literal(build),
      model: literal(model),
      ...measured,
      file: literal(file),
      content_version: '$training.content_version',
      trained_at: '$$NOW',
    };
    const published = [
      compute({ live: whole(live), trained_at: '$$NOW' }),
      set({ training_failed_at: null, training_failed_with: null, training_notes: notes }),
    ];
    const payload: EventPayload = { case: 'trainingCompleted', value: { generation, chunks: measured.chunks } };
    // An earlier attempt may have succeeded, and only its answer been lost.
    const isLive = async () => (await items.findOne({ _id: job.item, account, ...LIVE, 'live.build': build })) !== null;
    const [before, after] = [indexOf(job.document.live), indexOf({ ...measured, file })];
    const added = { chunks: after.chunks - before.chunks, index_bytes: after.index_bytes - before.index_bytes };
    const most = { chunks: Math.max(0, added.chunks), index_bytes: Math.max(0, added.index_bytes) };
    const isPublished = await items.write(
      async () => {
        const isEnded = await end(job, [...published, ...outbox(payload)]);
        return { result: isEnded, changed: [], counted: isEnded ? added : {} };
      },
      { account, most, found: async () => (await isLive()) || null },
    );
    return isPublished || (await isLive());
  }

  /**
   * Ends a training that found the live build up to date: it stays, and the job's build has pages only. False if the lease
   * was lost; then nothing has changed.
   */
  async function confirm(job: TrainingJob, { notes = [] }: Pick<Published, 'notes'> = {}): Promise<boolean> {
    const { account, build, generation, document } = job;
    const { live } = document;
    if (!live) return false;
    const confirmed = {
      confirmed_by: literal(build),
      content_version: '$training.content_version',
      trained_at: '$$NOW',
    };
    const stages = [
      compute({ live: { $mergeObjects: ['$live', confirmed] }, trained_at: '$$NOW' }),
      set({ training_failed_at: null, training_failed_with: null, training_notes: notes }),
    ];
    const payload: EventPayload = { case: 'trainingCompleted', value: { generation, chunks: live.chunks } };
    if (await end(job, [...stages, ...outbox(payload)], { 'live.build': live.build })) return true;
    return (await items.findOne({ _id: job.item, account, ...LIVE, 'live.confirmed_by': build })) !== null;
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
  async function end(job: TrainingJob, outcome: Document[], also: Filter<KnowledgeItemDoc> = {}): Promise<boolean> {
    const ended = [...outcome, compute({ last_training: whole(ENDED) }), ...idle];
    return (
      (await update(job, ended, { ...also, 'training.again': false })) ||
      (await update(job, [...ended, ...queued(job.generation + 1)], { ...also, 'training.again': true }))
    );
  }

  /** Returns the job to its place in the queue, as if it had not been claimed: for a worker that is stopping. */
  const release = (job: TrainingJob) => update(job, queuedAgain(job));

  /**
   * Returns the job to the queue, to be tried again later: for a failure that may pass and is not the content's. Each pause
   * is longer, until the training gets further than before. The item shows the reason meanwhile. After `MAX_RETRIES`, the
   * training fails with it instead. False if the lease was lost.
   *
   * @param reason a sentence for the owner.
   */
  async function postpone(job: TrainingJob, reason: string): Promise<boolean> {
    const mayRetry = { $expr: { $lt: [RETRIES, MAX_RETRIES] } } as Filter<KnowledgeItemDoc>;
    const postponed = await update(
      job,
      [
        ...queuedAgain(job),
        set({ training_notes: [`${reason} The training will be tried again by itself.`] }),
        compute({ 'training.queued_at': { $add: ['$$NOW', PAUSE_MS] }, 'training.retries': { $add: [RETRIES, 1] } }),
      ],
      mayRetry,
    );
    return (
      postponed || fail(job, `${reason} The training was tried ${MAX_RETRIES + 1} times. Train the item again later.`)
    );
  }

  /**
   * Stops counting this claim as an attempt: for a live worker that lost its lease because the database failed. False if
   * it no longer counts. Idempotent.
   */
  async function uncountAttempt(job: TrainingJob): Promise<boolean> {
    const { item: _id, account, generation, fence } = job;
    const counted = { _id, account, ...LIVE, generation, 'training.claims': fence };
    return (await items.unlisted.updateOne(counted, withoutClaim(job))).matchedCount === 1;
  }

  return {
    request,
    repair,
    claim,
    renew,
    reportProgress,
    publish,
    confirm,
    fail,
    release,
    postpone,
    uncountAttempt,
    waiting: queue.waiting,
    waitingByAccount: queue.waitingByAccount,
    needsRoom: queue.needsRoom,
  };
}

const RETRIES = { $ifNull: ['$training.retries', 0] };
const PAUSE_MS = { $min: [LONGEST_PAUSE_MS, { $multiply: [FIRST_PAUSE_MS, { $pow: [PAUSE_GROWTH, RETRIES] }] }] };
const REACHED = { $ifNull: ['$training.reached', 0] };
const withoutClaim = ({ fence }: TrainingJob): Document[] => [
  compute({ 'training.claims': { $filter: { input: CLAIMS, cond: { $ne: ['$$this', fence] } } } }),
  countAttempts,
];

/** The next run reads the content as it is then, so `again` has nothing to add. */
const queuedAgain = (job: TrainingJob): Document[] => [
  set({ 'training.state': 'queued', 'training.until': null, 'training.again': false }),
  ...withoutClaim(job),
];

/** The active trace, for what will work on the job. */
const tracing = () => {
  const trace = activeTrace();
  return trace === undefined ? '$$REMOVE' : literal(trace);
};

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
    'training.retries': 0,
    'training.until': null,
    'training.again': false,
    'training.progress': NO_PROGRESS,
  }),
  compute({ 'training.trace': tracing() }),
  compute({ 'training.queued_at': '$$NOW', 'training.first_queued_at': '$$NOW', retrain_due: retrainDue('$$NOW') }),
  ...outbox({ case: 'trainingQueued', value: { generation } }),
];

const used = (field: keyof EmbeddingUsage) => ({ $ifNull: [`$training.progress.${field}`, 0] });
const ENDED = {
  started_at: { $ifNull: ['$training.started_at', '$$NOW'] },
  ended_at: '$$NOW',
  embedded: used('embedded'),
  reused: used('reused'),
  calls: used('calls'),
  tokens: used('tokens'),
};

const idle: Document[] = [
  set({ 'training.state': 'idle', 'training.queued_at': null, 'training.until': null, 'training.again': false }),
  compute({ builds_due: '$$NOW', retrain_due: retrainDue('$$NOW') }),
];
