import { compute, fromNow, literal, passed, whole } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { Entry } from '../domain/entries.ts';
import { MESSAGE_BYTES } from '../domain/limits.ts';
import type { EvidenceDoc } from './model.ts';

/*
 * Building blocks for writes of threads: filters, and stages of pipeline updates. All times are the database's.
 */

export type NewEntry = Pick<Entry, '_id' | 'by' | 'text'> &
  Partial<
    Pick<
      Entry,
      'in_reply_to' | 'sources' | 'confidence' | 'change' | 'persona' | 'mail' | 'attached' | 'mailed' | 'owner_name'
    >
  >;

/** The new entries of one write: `before` is right before the other. */
export interface NewEntries {
  entry: NewEntry;
  before?: NewEntry | undefined;
  /** The evidence of an answer. */
  evidence?: EvidenceDoc | undefined;
}

/** How many questions may wait in a chat. */
const MAX_WAITING = 2;
/** A place in the queue expires after this time; waiters renew theirs about once a second. */
const PLACE_MS = 3_000;

/** Appends entries. */
export function append({ entry, before, evidence }: NewEntries): Document[] {
  const [count, bytes] = before ? [2, sizeOf(entry) + sizeOf(before)] : [1, sizeOf(entry)];
  const more = {
    ...(before && { before: placed(before, { $subtract: ['$n', 1] }) }),
    ...(evidence && { evidence: literal(evidence) }),
  };
  return [
    compute({ n: { $add: ['$n', count] }, bytes: { $add: ['$bytes', bytes] }, updated_at: '$$NOW' }),
    compute({ last: whole({ ...placed(entry, '$n'), ...more }) }),
  ];
}

const sizeOf = ({ by, text, mail, attached }: NewEntry): number =>
  by === 'system' ? 0 : Buffer.byteLength(text) + jsonBytes(mail) + jsonBytes(attached) + MESSAGE_BYTES;

const jsonBytes = (value: object | undefined): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

function placed({ _id, by, text, in_reply_to = null, ...more }: NewEntry, n: unknown): Document {
  const data = { _id, by, text, in_reply_to, ...more };
  const literals = Object.fromEntries(Object.entries(data).map(([field, value]) => [field, literal(value)]));
  return { ...literals, thread: '$_id', account: '$account', n, at: '$$NOW' };
}

/** Claims the answer to an entry. With a lease of 0, anyone can take over the claim at once. */
export const claimed = (entry: string, leaseMs: number): Document[] => [
  compute({ fence: { $add: ['$fence', 1] } }),
  compute({
    pending: whole({ entry: literal(entry), fence: '$fence', until: fromNow(leaseMs) }),
    failed: null,
    waiting: { $filter: { input: '$waiting', cond: { $ne: ['$$this.op', literal(entry)] } } },
  }),
];

/** The effects of a user's message: it becomes the pending entry, unless a human has taken over. */
export const asked = (entry: string, leaseMs: number): Document[] => [
  ...claimed(entry, leaseMs),
  compute({ questions: { $add: ['$questions', 1] }, pending: { $cond: ['$hold', null, '$pending'] } }),
];

/** An answer that a worker claims once `ms` have passed without another message. */
export interface Due {
  ms: number;
  /** True if it may be sent without a person's consent. */
  authenticated: boolean;
}

/** The effects of a user's message in a ticket or an email: the AI will answer it, unless a human has taken over. */
export const awaited = (entry: string, due: Due): Document[] => [
  ...madeDue(entry, due),
  compute({ questions: { $add: ['$questions', 1] }, pending: { $cond: ['$hold', null, '$pending'] } }),
];

/** The AI will answer an entry. Whatever it had to say before does not matter any more. */
export const madeDue = (entry: string, { ms, authenticated }: Due): Document[] => [
  compute({ fence: { $add: ['$fence', 1] } }),
  compute({
    pending: whole({
      ...{ entry: literal(entry), fence: '$fence', until: fromNow(ms) },
      ...{ due: literal(true), attempts: literal(0), authenticated: literal(authenticated) },
    }),
    ...{ failed: null, draft: null, answered: literal(false) },
  }),
];

/** A human takes over: the AI no longer answers. */
export const HOLD: Document = compute({ pending: null, failed: null, hold: { $ifNull: ['$hold', '$$NOW'] } });

/** Nobody is working on an answer. */
export const IDLE = passed('pending.until');

/** The operations in the queue whose places have not expired. */
const LIVING: Document = {
  $map: {
    input: { $filter: { input: '$waiting', cond: { $gt: ['$$this.until', '$$NOW'] } } },
    in: '$$this.op',
  },
};

/** No other operation is ahead in the queue. */
export const isFirst = (op: string): Document => ({
  $expr: { $eq: [{ $ifNull: [{ $first: LIVING }, literal(op)] }, literal(op)] },
});

/** Adds an operation to the queue, or renews its place, if there is room and its own answer is not pending. */
export function queued(op: string): Document[] {
  const place = { op: literal(op), until: fromNow(PLACE_MS) };
  const mine = { $eq: ['$$this.op', literal(op)] };
  const renewed = { $map: { input: '$waiting', in: { $cond: [mine, place, '$$this'] } } };
  const isIn = { $in: [literal(op), '$waiting.op'] };
  const mayEnter = {
    $and: [{ $ne: ['$pending.entry', literal(op)] }, { $lt: [{ $size: '$waiting' }, MAX_WAITING] }],
  };
  const entered = { $cond: [mayEnter, { $concatArrays: ['$waiting', [place]] }, '$waiting'] };
  const keeps = { $or: [mine, { $gt: ['$$this.until', '$$NOW'] }] };
  return [
    compute({ waiting: { $filter: { input: '$waiting', cond: keeps } }, looked_at: '$$NOW' }),
    compute({ waiting: { $cond: [isIn, renewed, entered] } }),
  ];
}

/** Filter: of none of these accounts. */
export const unlessOf = (accounts: readonly string[]) =>
  accounts.length > 0 ? { account: { $nin: [...accounts] } } : {};
