import type { Waiting } from '@parley/runtime';
import { compute, fromNow, LIVE, passed, set } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { buildId, type KnowledgeItemDoc, type Progress } from '../model.ts';
import { type Collections, QUEUE_INDEX, SUSPECT_INDEX, WAITING_INDEX } from './collections.ts';

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

export const NO_PROGRESS: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };

/** Filter: in the queue, or running. Implies the condition of `QUEUE_INDEX`. */
const IN_QUEUE = {
  ...LIVE,
  'training.state': { $in: ['queued', 'running'] },
  'training.queued_at': { $type: 'date' },
} satisfies Filter<KnowledgeItemDoc>;

/** A job that waits, or the account whose oldest one does. */
interface Candidate {
  account: string;
  queued_at: Date;
  /** The item of a job whose lease has expired. */
  item?: string;
}

interface Running extends Required<Candidate> {
  expired: boolean;
  /** See `runsAlone`. */
  suspect: boolean;
}

/** Which jobs a worker asks for. */
export interface Wanted {
  /** Accounts whose jobs to leave to other workers. */
  except?: readonly string[];
  /** Leaves jobs that have to run alone to trainers that run nothing else. */
  inCompany?: boolean;
}

/** Jobs that an old release has queued do not say when they first were. */
const FIRST_QUEUED = { $ifNull: ['$training.first_queued_at', '$training.queued_at'] };
const MAX_ACCOUNTS = 1_000;

/** How long a job that has to run alone is left to a trainer that happens to run nothing. */
const PATIENCE_MS = 600_000;

/** The trainings that wait, of all accounts together. */
export function trainingQueue({ items }: Collections) {
  /**
   * Claims the first job of the account with the fewest running ones, the oldest job if there are several such accounts.
   * A job whose lease has expired waits again. The cost grows with the accounts that wait, not with their jobs. Reads
   * without an account.
   */
  async function claimNext({ except = [], inCompany = false }: Wanted): Promise<TrainingJob | undefined> {
    const all = await running();
    const mayTake = (job: Running) => !except.includes(job.account) && !(inCompany && job.suspect);
    const expired = all.filter((job) => job.expired && mayTake(job));
    const byLoad = accountsByLoad(all.filter((job) => !job.expired));
    const busy = byLoad.flat();
    const idle = (account: string) => !busy.includes(account);
    const job = await claimOldest(
      (tried) => ({ $nin: [...busy, ...except, ...tried] }),
      expired.filter(({ account }) => idle(account)),
      inCompany,
    );
    if (job) return job;
    for (const accounts of byLoad) {
      const asked = accounts.filter((account) => !except.includes(account));
      if (asked.length === 0) continue;
      const job = await claimOldest(
        (tried) => ({ $in: asked.filter((account) => !tried.includes(account)) }),
        expired.filter(({ account }) => asked.includes(account)),
        inCompany,
      );
      if (job) return job;
    }
    return undefined;
  }

  /** As many as all trainers have slots, besides those whose worker died. */
  const running = (): Promise<Running[]> =>
    items
      .aggregate<Running>(
        [
          { $match: { ...IN_QUEUE, 'training.state': 'running' } },
          {
            $project: {
              _id: 0,
              item: '$_id',
              account: 1,
              queued_at: '$training.queued_at',
              expired: { $lte: [{ $ifNull: ['$training.until', new Date(0)] }, '$$NOW'] },
              suspect: { $gt: ['$training.attempts', 0] },
            },
          },
        ],
        { hint: QUEUE_INDEX },
      )
      .toArray();

  /** Tries one candidate after another: another worker may take it first, or its item may be deleted. */
  async function claimOldest(
    accounts: (tried: readonly string[]) => Filter<string>,
    expired: readonly Candidate[],
    inCompany: boolean,
  ): Promise<TrainingJob | undefined> {
    const tried: string[] = [];
    let left = expired.toSorted((a, b) => a.queued_at.getTime() - b.queued_at.getTime());
    for (;;) {
      const queued = await oldestQueued(accounts(tried));
      const [first] = left;
      const next = first && (!queued || first.queued_at <= queued.queued_at) ? first : queued;
      if (!next) return undefined;
      const job = await take(next, inCompany);
      if (job) return job;
      if (next === first) left = left.slice(1);
      else tried.push(next.account);
    }
  }

  /** Reads one key for each account that waits. */
  async function oldestQueued(account: Filter<string>): Promise<Candidate | undefined> {
    const [oldest] = await items
      .aggregate<Candidate>([
        { $match: { 'training.state': 'queued', account } },
        { $sort: { account: 1, 'training.queued_at': 1 } },
        { $group: { _id: '$account', queued_at: { $first: '$training.queued_at' } } },
        { $match: { $expr: { $lte: ['$queued_at', '$$NOW'] } } },
        { $sort: { queued_at: 1 } },
        { $limit: 1 },
        { $project: { _id: 0, account: '$_id', queued_at: 1 } },
      ])
      .toArray();
    return oldest;
  }

  async function take({ account, item }: Candidate, inCompany: boolean): Promise<TrainingJob | undefined> {
    const lost = { _id: item, account, ...IN_QUEUE, 'training.state': 'running' as const, ...passed('training.until') };
    const fresh = inCompany && { 'training.attempts': 0 };
    const waiting = {
      account,
      ...LIVE,
      'training.state': 'queued' as const,
      ...passed('training.queued_at'),
      ...fresh,
    };
    const oldest = { sort: { 'training.queued_at': 1 }, hint: WAITING_INDEX } as const;
    const options = { returnDocument: 'after' } as const;
    const taken = item
      ? await items.unlisted.findOneAndUpdate(lost as Filter<KnowledgeItemDoc>, claimed, options)
      : await items.unlisted.findOneAndUpdate(waiting, claimed, { ...options, ...oldest });
    return taken ? jobOf(taken) : undefined;
  }

  /**
   * How many jobs wait, and for how many seconds the oldest has. One that was postponed has waited since it was first queued.
   * Reads without an account.
   */
  async function waiting(): Promise<Waiting> {
    const [all] = await waitingBy(null);
    return { depth: all?.depth ?? 0, oldestAge: all?.oldestAge ?? 0 };
  }

  /** The same by account, the longest queue first. Reads without an account. */
  async function waitingByAccount(): Promise<(Waiting & { account: string })[]> {
    const found = await waitingBy('$account');
    return found.map(({ _id, ...waiting }) => ({ account: _id!, ...waiting }));
  }

  /** Not more than `MAX_ACCOUNTS`. */
  const waitingBy = (_id: '$account' | null) =>
    items
      .aggregate<Waiting & { _id: string | null }>(
        [
          { $match: { ...IN_QUEUE, ...passed('training.until') } },
          { $group: { _id, depth: { $sum: 1 }, since: { $min: FIRST_QUEUED } } },
          { $sort: { depth: -1, _id: 1 } },
          { $limit: MAX_ACCOUNTS },
          {
            $project: { depth: 1, oldestAge: { $max: [0, { $divide: [{ $subtract: ['$$NOW', '$since'] }, 1_000] }] } },
          },
        ],
        { hint: QUEUE_INDEX },
      )
      .toArray();

  /** Returns whether a job that has to run alone has waited for too long. Reads without an account. */
  async function needsRoom(): Promise<boolean> {
    const since = { $cond: [{ $eq: ['$training.state', 'running'] }, '$training.until', '$training.queued_at'] };
    const overdue = { $expr: { $lte: [{ $add: [since, PATIENCE_MS] }, '$$NOW'] } };
    const suspect = { ...IN_QUEUE, 'training.attempts': { $gt: 0 }, ...overdue } as Filter<KnowledgeItemDoc>;
    return (await items.findOne(suspect, { hint: SUSPECT_INDEX, projection: { _id: 1 } })) !== null;
  }

  return { claimNext, waiting, waitingByAccount, needsRoom };
}

/** Accounts with as many running jobs, the fewest first. */
function accountsByLoad(jobs: readonly Running[]): string[][] {
  const loads = new Map<string, number>();
  for (const { account } of jobs) loads.set(account, (loads.get(account) ?? 0) + 1);
  const counts = [...new Set(loads.values())].sort((a, b) => a - b);
  return counts.map((count) => [...loads.keys()].filter((account) => loads.get(account) === count));
}

export const jobOf = (document: KnowledgeItemDoc): TrainingJob => {
  const { _id: item, account, generation } = document;
  const { fence } = document.training;
  return { account, item, generation, fence, build: buildId(item, fence), document };
};

/**
 * Returns whether a job has to be the only one of its trainer: its worker has died before, since it last got further. If it was not
 * why, it must not die again with the one that was.
 */
export const runsAlone = ({ document }: TrainingJob): boolean => document.training.attempts > 1;

/** Filter: the item exists, and this is its latest claim. */
export const held = ({ account, item, fence, document }: TrainingJob) => ({
  _id: item,
  account,
  ...LIVE,
  'training.state': document.training.state,
  'training.fence': fence,
});

export const CLAIMS = '$training.claims';
export const countAttempts = compute({ 'training.attempts': { $size: CLAIMS } });

const claimed: Document[] = [
  set({ 'training.state': 'running', 'training.again': false, 'training.progress': NO_PROGRESS }),
  compute({
    'training.until': fromNow(TRAINING_LEASE_MS),
    'training.started_at': '$$NOW',
    'training.fence': { $add: ['$training.fence', 1] },
    'training.claims': { $concatArrays: [CLAIMS, [{ $add: ['$training.fence', 1] }]] },
    'training.content_version': '$content_version',
    'training.pages_fence': '$$REMOVE',
  }),
  countAttempts,
];
