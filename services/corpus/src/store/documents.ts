import { alreadyExists, failedPrecondition, notFound, resourceExhausted } from '@parley/runtime';
import { compute, LIVE, ownedBy, tombstone } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { DocumentDetails, KnowledgeItemDoc, Upload } from '../model.ts';
import { uploadKey } from '../object-keys.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';
import { filesDue, mayComplete, mayRecord, record, setFile, UNFINALIZED_MS } from './strays.ts';

type DocumentItem = KnowledgeItemDoc<'document'>;

const FILE = 'document.upload';

const FINALIZED = 'This document has been finalized. Create another one to upload another file.';
const GONE = 'The upload took too long, or its document is gone. Upload the file again.';

/** The details of a new document. */
export const newDocument = (fields: Pick<DocumentDetails, 'file_type' | 'file_name'>): DocumentDetails => ({
  ...fields,
  upload: null,
  finalized_at: null,
});

export type DocumentStore = ReturnType<typeof documentStore>;

/** The files of documents. See `strays.ts`. */
export function documentStore({ items }: Collections) {
  const own = (account: string, id: string): Promise<KnowledgeItemDoc> =>
    ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);

  async function document(account: string, id: string): Promise<DocumentItem> {
    const item = await own(account, id);
    if (item.type !== 'document') throw failedPrecondition('This knowledge item is not a document.');
    return item;
  }

  const update = (account: string, id: string, also: Filter<KnowledgeItemDoc>, stages: Document[]) =>
    items.updateOne({ ...open(account, id), ...also }, [...stages, filesDue]);

  return {
    /**
     * Records the object of an upload before its first byte, and returns its key. Idempotent by upload.
     *
     * @throws AppError `already_exists` once the document is finalized, `resource_exhausted` for too many failed uploads.
     */
    async begin(account: string, id: string, upload: string): Promise<string> {
      const key = uploadKey(account, id, upload);
      if ((await update(account, id, mayRecord(FILE, key), [record(key)])).matchedCount === 1) return key;
      const { strays = [], document: found } = await document(account, id);
      if (found.finalized_at) throw alreadyExists(FINALIZED);
      if (found.upload?.key === key || strays.some((each) => each.key === key)) return key;
      throw resourceExhausted('Too many uploads of this document have failed. Try again in an hour.');
    },

    /**
     * Makes a stored object the document's file, instead of any other. Idempotent.
     *
     * @throws AppError `already_exists` once the document is finalized, `not_found` if the upload began too long ago.
     */
    async complete(account: string, id: string, upload: Upload): Promise<void> {
      const completed = await update(account, id, mayComplete(upload.key), setFile(FILE, upload));
      if (completed.matchedCount === 1) return;
      const found = (await document(account, id)).document;
      if (found.upload?.key === upload.key) return;
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
