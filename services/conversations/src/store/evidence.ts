import { deleteInParts, isDuplicate, type Page, type PageRequest, page } from '@parley/runtime/mongo';
import type { Db, Filter } from 'mongodb';
import type { EvidenceDoc } from './model.ts';

export type EvidenceStore = ReturnType<typeof evidenceStore>;

/** Keeps what answers rest on: one document for each of the user's entries that was answered or failed. */
export function evidenceStore(db: Db) {
  const evidence = db.collection<EvidenceDoc>('evidence');

  /** Replaces what `filter` finds; without effect if there is something else. */
  async function put({ _id, account, thread, ...rest }: EvidenceDoc, filter: Filter<EvidenceDoc> = {}): Promise<void> {
    const replace = () =>
      evidence.updateOne({ _id, account, thread, ...filter }, { $set: rest }, { upsert: true }).catch((error) => {
        if (!isDuplicate(error)) throw error;
        return undefined;
      });
    // Of two concurrent upserts, one gets a duplicate key; its second attempt finds the document.
    if (!(await replace())) await replace();
  }

  return {
    /** Stores the evidence of an answer, of which an entry has only one. Replaces that of a failure. Idempotent. */
    keep: (document: EvidenceDoc): Promise<void> => put(document),

    /** Stores why there is no answer, unless there is one. */
    fail: (document: EvidenceDoc): Promise<void> => put(document, { outcome: 'failed' }),

    /** That of one of the user's entries. */
    find: async (account: string, thread: string, entry: string): Promise<EvidenceDoc | undefined> =>
      (await evidence.findOne({ _id: entry, account, thread })) ?? undefined,

    /** Removes that of threads. */
    drop: (account: string, threads: readonly string[]): Promise<void> =>
      deleteInParts(evidence, { account, thread: { $in: [...threads] } }),

    /** In the order of the user's entries. */
    list: (account: string, thread: string, request: PageRequest): Promise<Page<EvidenceDoc>> =>
      page(evidence, { account, thread }, request, { order: { fields: ['n'], direction: -1 } }),
  };
}
