import { alreadyExists, failedPrecondition, notFound, resourceExhausted } from '@parley/runtime';
import { compute, LIVE, outbox, ownedBy, tombstone } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { type DocumentDetails, type KnowledgeItemDoc, MAX_DOCUMENT_BYTES, type Upload } from '../model.ts';
import { uploadKey } from '../object-keys.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';
import { beginFile, endFile, filesDue, mayComplete, mayRecord, record, setFile, UNFINALIZED_MS } from './strays.ts';
import { less, ownOf } from './usage.ts';

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

  /** Returns the document as it was; null if it is not there, or not as `also` says. */
  const update = (account: string, id: string, also: Filter<KnowledgeItemDoc>, stages: Document[]) =>
    items.unlisted.findOneAndUpdate({ ...open(account, id), ...also }, [...stages, filesDue]);

  return {
    /**
     * Records the object of an upload before its first byte, and returns its key. Idempotent by upload.
     *
     * @throws AppError `already_exists` once the document is finalized, `resource_exhausted` for too many failed uploads,
     * `permission_denied` if the account has no room for it.
     */
    async begin(account: string, id: string, upload: string): Promise<string> {
      const key = uploadKey(account, id, upload);
      const recorded = () => update(account, id, mayRecord(FILE, key), [record(key, MAX_DOCUMENT_BYTES)]);
      const isThere = async () => {
        const { strays = [], document: found } = await document(account, id);
        return found.upload?.key === key || strays.some((each) => each.key === key);
      };
      if (await beginFile(items, account, MAX_DOCUMENT_BYTES, recorded, isThere)) return key;
      if ((await document(account, id)).document.finalized_at) throw alreadyExists(FINALIZED);
      if (await isThere()) return key;
      throw resourceExhausted('Too many uploads of this document have failed. Try again in an hour.');
    },

    /**
     * Makes a stored object the document's file, instead of any other. Idempotent.
     *
     * @throws AppError `already_exists` once the document is finalized, `not_found` if the upload began too long ago.
     */
    async complete(account: string, id: string, upload: Upload): Promise<void> {
      const stages = setFile(FILE, upload);
      if (await endFile(items, account, upload, () => update(account, id, mayComplete(upload.key), stages))) return;
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
        ...outbox({ case: 'knowledgeItemChanged', value: {} }),
      ];
      return (await update(account, id, { 'document.upload.key': validated }, finalized)) !== null;
    },

    /** Remembers that the file is not what its type says, unless another upload has replaced it: it is not read again. */
    async refuse(account: string, id: string, key: string, reason: string): Promise<void> {
      await items.unlisted.updateOne(
        { ...open(account, id), 'document.upload.key': key },
        { $set: { 'document.refused': { key, reason } } },
      );
    },

    /** Deletes a document that has not been finalized in time. */
    async expire(account: string, id: string): Promise<void> {
      const late = { $expr: { $lte: [{ $add: ['$created_at', UNFINALIZED_MS] }, '$$NOW'] } };
      const expired = tombstone({ case: 'knowledgeItemDeleted', value: {} });
      await items.write(
        async (raw) => {
          const before = await raw.findOneAndUpdate({ ...open(account, id), ...late }, expired);
          return { result: undefined, changed: before ? [before] : [], counted: before ? less(ownOf(before)) : {} };
        },
        { account, most: {} },
      );
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
