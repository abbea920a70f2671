import { alreadyExists, failedPrecondition, notFound, resourceExhausted } from '@parley/runtime';
import { compute, fromNow, LIVE, literal, ownedBy, set, tombstone } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { DocumentDetails, KnowledgeItemDoc, Upload } from '../model.ts';
import { uploadKey } from '../object-keys.ts';
import type { Collections } from './collections.ts';
import { documentDue, UNFINALIZED_MS } from './document-due.ts';
import { KNOWLEDGE_ITEM } from './items.ts';

type DocumentItem = KnowledgeItemDoc<'document'>;

/** An upload that takes longer can't complete. The gateway gives up before that. */
export const UPLOAD_MS = 20 * 60_000;
/** Bounds the document. Reached only by a client that breaks off again and again, or while objects can't be deleted. */
export const MAX_STRAYS = 100;

const FINALIZED = 'This document has been finalized. Create another one to upload another file.';
const GONE = 'The upload took too long, or its document is gone. Upload the file again.';

/** The details of a new document. */
export const newDocument = (fields: Pick<DocumentDetails, 'file_type' | 'file_name'>): DocumentDetails => ({
  ...fields,
  upload: null,
  strays: [],
  finalized_at: null,
});

export type DocumentStore = ReturnType<typeof documentStore>;

/**
 * The files of documents. Every object is recorded before it is stored, in `strays`, and stays recorded until it is the
 * document's file or deleted, so a process may die at any point without leaking one.
 */
export function documentStore({ items }: Collections) {
  const own = (account: string, id: string): Promise<KnowledgeItemDoc> =>
    ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);

  async function document(account: string, id: string): Promise<DocumentItem> {
    const item = await own(account, id);
    if (item.type !== 'document') throw failedPrecondition('This knowledge item is not a document.');
    return item;
  }

  const update = (account: string, id: string, also: Filter<DocumentItem>, stages: Document[]) =>
    items.updateOne({ ...open(account, id), ...also } as Filter<KnowledgeItemDoc>, [...stages, documentDue]);

  return {
    /**
     * Records the object of an upload before its first byte, and returns its key. Idempotent by upload.
     *
     * @throws AppError `already_exists` once the document is finalized, `resource_exhausted` for too many failed uploads.
     */
    async begin(account: string, id: string, upload: string): Promise<string> {
      const key = uploadKey(account, id, upload);
      const fresh = { 'document.strays.key': { $ne: key }, [`document.strays.${MAX_STRAYS - 1}`]: { $exists: false } };
      const stray = { key: literal(key), due: fromNow(UPLOAD_MS) };
      const added = compute({ 'document.strays': { $concatArrays: ['$document.strays', [stray]] } });
      if ((await update(account, id, fresh, [added])).matchedCount === 1) return key;
      const found = (await document(account, id)).document;
      if (found.finalized_at) throw alreadyExists(FINALIZED);
      if (found.strays.some((each) => each.key === key)) return key;
      throw resourceExhausted('Too many uploads of this document have failed. Try again in an hour.');
    },

    /**
     * Makes a stored object the document's file, and returns the key of the one that it replaces. Idempotent.
     *
     * @throws AppError `already_exists` once the document is finalized, `not_found` if the upload began too long ago.
     */
    async complete(account: string, id: string, upload: Upload): Promise<string | undefined> {
      const inTime = { $gt: ['$$this.due', '$$NOW'] };
      const mine = { $and: [{ $eq: ['$$this.key', literal(upload.key)] }, inTime] };
      const begun = { $expr: { $anyElementTrue: [{ $map: { input: '$document.strays', in: mine } }] } };
      const before = await items.findOneAndUpdate(
        { ...open(account, id), ...begun },
        [...completed(upload), documentDue],
        {
          returnDocument: 'before',
        },
      );
      if (before?.type === 'document') return before.document.upload?.key;
      const found = (await document(account, id)).document;
      if (found.upload?.key === upload.key) return undefined;
      if (found.finalized_at) throw alreadyExists(FINALIZED);
      throw notFound(GONE);
    },

    /**
     * Keeps the file that was validated. False if another upload has replaced it, or the document is gone or finalized.
     */
    async finalize(account: string, id: string, validated: string): Promise<boolean> {
      const finalized = [
        compute({ 'document.finalized_at': '$$NOW', content_version: { $add: ['$content_version', 1] } }),
      ];
      return (await update(account, id, { 'document.upload.key': validated }, finalized)).matchedCount === 1;
    },

    /** Objects have been deleted, and no upload can complete them. */
    async forget(account: string, id: string, keys: readonly string[]): Promise<void> {
      const others = { $not: [{ $in: ['$$this.key', literal(keys)] }] };
      const forgotten = compute({ 'document.strays': { $filter: { input: '$document.strays', cond: others } } });
      await items.updateOne({ _id: id, account, type: 'document' }, [forgotten, documentDue]);
    },

    /** Deletes a document that has not been finalized in time. */
    async expire(account: string, id: string): Promise<void> {
      const late = { $expr: { $lte: [{ $add: ['$created_at', UNFINALIZED_MS] }, '$$NOW'] } };
      await items.updateOne({ ...open(account, id), ...late }, tombstone({ case: 'knowledgeItemDeleted', value: {} }));
    },
  };
}

/** Filter: a document whose file may still change. */
const open = (account: string, id: string) => ({
  _id: id,
  account,
  ...LIVE,
  type: 'document' as const,
  'document.finalized_at': null,
});

/** The replaced object becomes a stray that is due at once. */
function completed(upload: Upload): Document[] {
  const replaced = {
    $cond: [{ $eq: ['$document.upload', null] }, [], [{ key: '$document.upload.key', due: '$$NOW' }]],
  };
  const others = { $filter: { input: '$document.strays', cond: { $ne: ['$$this.key', literal(upload.key)] } } };
  return [compute({ 'document.strays': { $concatArrays: [others, replaced] } }), set({ 'document.upload': upload })];
}
