import { compute, fromNow, LIVE, literal } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { KnowledgeItemDoc, Upload } from '../model.ts';
import type { Collections } from './collections.ts';

/*
 * The files that owners give to an item: that of a document, the transcript of a video. Every object is recorded as a stray
 * before it is stored, and stays one until it is the item's file or deleted. So a process may die at any point without
 * leaking an object, and the sweeper only deletes what no item names: nothing else deletes these objects.
 */

/** An upload that takes longer can't complete. The gateway gives up before that. */
const UPLOAD_MS = 20 * 60_000;
/** Bounds the item. Reached only by a client that breaks off again and again, or while objects can't be deleted. */
export const MAX_STRAYS = 100;
/** A document that has not been finalized by then is deleted. */
export const UNFINALIZED_MS = 24 * 3_600_000;
/** No run of a training takes longer: it is more than the highest TRAINING_MAX_MINUTES. */
const LONGEST_RUN_MS = 25 * 3_600_000;

const STRAYS = { $ifNull: ['$strays', []] };

/** The field that names the file of an item. */
type FileField = 'document.upload' | 'video.transcript';

/** Filter: there is room for another stray, and the object is neither one already nor the file: a late retry finds it. */
export const mayRecord = (file: FileField, key: string): Filter<KnowledgeItemDoc> => ({
  [`${file}.key`]: { $ne: key },
  'strays.key': { $ne: key },
  [`strays.${MAX_STRAYS - 1}`]: { $exists: false },
});

/** Stage: records an object whose upload begins, with the bytes that it may have. `filesDue` follows. */
export const record = (key: string, bytes: number): Document =>
  compute({ strays: { $concatArrays: [STRAYS, [{ key: literal(key), bytes, due: fromNow(UPLOAD_MS) }]] } });

/** Filter: the upload of the object has begun, and not too long ago. From the moment it is due, the sweeper may delete it. */
export function mayComplete(key: string): Filter<KnowledgeItemDoc> {
  const inTime = { $and: [{ $eq: ['$$this.key', literal(key)] }, { $gt: ['$$this.due', '$$NOW'] }] };
  return { $expr: { $anyElementTrue: [{ $map: { input: STRAYS, in: inTime } }] } };
}

/**
 * Stages: set the item's file. It is no stray any more; the one that it replaces becomes one, which a run in progress may
 * still read. `filesDue` follows.
 */
export function setFile(file: FileField, upload: Upload | null): Document[] {
  const isRunning = { $eq: ['$training.state', 'running'] };
  const due = { $cond: [isRunning, fromNow(LONGEST_RUN_MS), '$$NOW'] };
  const none = { $eq: [{ $ifNull: [`$${file}`, null] }, null] };
  const stray = { $cond: [none, [], [{ key: `$${file}.key`, bytes: `$${file}.bytes`, due }]] };
  const strays = { $concatArrays: [without(upload ? [upload.key] : []), stray] };
  return [compute({ strays }), compute({ [file]: literal(upload) })];
}

/** The result of a write of files: the item as it was; null if nothing was written. */
type WriteFiles = () => Promise<KnowledgeItemDoc | null>;

/**
 * Records an object whose upload begins. Until its size is known, the account has as many bytes as it may have.
 *
 * @param isThere whether it was recorded before
 * @returns whether it has been recorded now, or before
 */
export function beginFile(
  items: Collections['items'],
  account: string,
  bytes: number,
  write: WriteFiles,
  isThere: () => Promise<boolean>,
): Promise<boolean> {
  return items.write(
    async () => {
      const isNew = (await write()) !== null;
      return { result: isNew, changed: [], counted: isNew ? { files: 1, bytes } : {} };
    },
    { account, most: { files: 1, bytes }, found: async () => (await isThere()) || null },
  );
}

/** Makes an uploaded object the file of an item. Returns whether it was written. */
export function endFile(
  items: Collections['items'],
  account: string,
  { key, bytes }: Upload,
  write: WriteFiles,
): Promise<boolean> {
  return items.write(
    async () => {
      const before = await write();
      const held = before?.strays?.find((stray) => stray.key === key)?.bytes ?? 0;
      return { result: before !== null, changed: [], counted: before ? { bytes: bytes - held } : {} };
    },
    { account, most: {} },
  );
}

/** Forgets strays whose objects were deleted, and which no upload can complete. */
export async function forgetStrays(
  { items }: Collections,
  account: string,
  id: string,
  keys: readonly string[],
): Promise<void> {
  const stages = [compute({ strays: without(keys) }), filesDue];
  await items.write(
    async (raw) => {
      const before = await raw.findOneAndUpdate({ _id: id, account, ...LIVE }, stages);
      const gone = (before?.strays ?? []).filter(({ key }) => keys.includes(key));
      const bytes = gone.reduce((sum, stray) => sum + stray.bytes, 0);
      return { result: undefined, changed: [], counted: { files: -gone.length, bytes: -bytes } };
    },
    { account, most: {} },
  );
}

const without = (keys: readonly string[]): Document => ({
  $filter: { input: STRAYS, cond: { $not: [{ $in: ['$$this.key', literal(keys)] }] } },
});

/** Stage: when the sweeper next has something to do: delete a stray object, or a document that was not finalized. */
export const filesDue: Document = compute({
  files_due: {
    $min: [
      { $min: '$strays.due' },
      {
        $cond: [
          { $and: [{ $eq: ['$type', 'document'] }, { $eq: ['$document.finalized_at', null] }] },
          { $add: ['$created_at', UNFINALIZED_MS] },
          null,
        ],
      },
    ],
  },
});

/**
 * For the purge of items: how long after its deletion something may still be written to one. At least `leastMs`; an upload
 * in progress may store its object until it is due.
 */
export const itemSettleMs = (leastMs: number): Document => ({
  $max: [leastMs, { $subtract: [{ $max: '$strays.due' }, '$deleted_at'] }],
});
