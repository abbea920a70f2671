import { deriveId } from '@parley/runtime';
import { compute, deletePublished, isDuplicate, literal, outbox, type WithOutbox } from '@parley/runtime/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import { userBlocked } from './events.ts';
import type { ThreadDoc, ThreadScope } from './model.ts';
import type { Threads } from './threads.ts';

/** Says whether an address may write to an assistant: of mail, or of a visitor. Exists once it has been blocked. */
export interface BlockDoc extends ThreadScope, WithOutbox {
  _id: string;
  address: string;
  /** Null after the block was lifted. */
  blocked_at: Date | null;
  /** Counts up with each change. */
  version: number;
}

/** Threads changed at a time. */
const BATCH = 1_000;

export type Blocks = ReturnType<typeof blockStore>;

/**
 * Blocks of end users, for an assistant: the visitor of a chat, or its session if it has none; the address of a ticket or an
 * email.
 *
 * The block of an address is one document, and every thread of the address has a copy: so an act of the user and a block
 * meet in one conditional write of the thread. A copy carries the version of the block that it is of, and a newer version
 * is never overwritten: so concurrent blocks and unblocks leave all threads alike. A thread opens with the version that was
 * found before.
 */
export const blockCollection = (db: Db): Collection<BlockDoc> => db.collection<BlockDoc>('blocks');

export function blockStore(db: Db, { collection: threads, deletedAssistants }: Threads) {
  const blocks = blockCollection(db);

  /** Changes the block if it is not so already; returns it. */
  async function change(scope: ThreadDoc, address: string, block: boolean): Promise<BlockDoc | null> {
    const { account, kind, assistant } = scope;
    const filter = { _id: idOf(scope, address), account };
    const isChange = block ? { $eq: [{ $ifNull: ['$blocked_at', null] }, null] } : { $ne: ['$blocked_at', null] };
    const changed = {
      version: { $cond: [isChange, { $add: [{ $ifNull: ['$version', 0] }, 1] }, '$version'] },
      blocked_at: block ? { $ifNull: ['$blocked_at', '$$NOW'] } : null,
    };
    const of = { kind: literal(kind), assistant: literal(assistant), address: literal(address) };
    const stages = [...outbox(userBlocked(scope, block), { when: isChange }), compute({ ...changed, ...of })];
    // An address that was never blocked needs no document to be lifted.
    const write = () => blocks.findOneAndUpdate(filter, stages, { upsert: block, returnDocument: 'after' });
    // Of two concurrent upserts, one gets a duplicate key; its second attempt finds the document.
    return write().catch((error) => (isDuplicate(error) ? write() : Promise.reject(error)));
  }

  /** Copies a block to the threads of its address, except to those that have a newer version. */
  async function copy({ account, kind, assistant, address, blocked_at, version }: BlockDoc): Promise<void> {
    const older = { $or: [{ block_version: { $exists: false } }, { block_version: { $lt: version } }] };
    // Threads that are being opened, too.
    const filter: Filter<ThreadDoc> = { account, kind, assistant, address, ...older };
    const ended = blocked_at ? { pending: null, draft: null, waiting: literal([]) } : {};
    const stages = [compute({ blocked_at: literal(blocked_at), block_version: literal(version), ...ended })];
    for (;;) {
      const found = await threads.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
      if (found.length === 0) return;
      await threads.unlisted.updateMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } }, stages);
    }
  }

  async function set(thread: ThreadDoc, block: boolean): Promise<void> {
    const { _id, account, address } = thread;
    if (address === undefined) {
      const ended = block ? { pending: null, waiting: literal([]), blocked_at: '$$NOW' } : { blocked_at: null };
      const when: Filter<ThreadDoc> = { _id, account, blocked_at: block ? null : { $ne: null } };
      await threads.unlisted.updateOne(when, [compute(ended), ...outbox(userBlocked(thread, block))]);
      return;
    }
    const changed = await change(thread, address, block);
    // Even if it was so already: whoever changed it may have died before this.
    if (changed) await copy(changed);
    // A visitor who was identified meanwhile has another address, once.
    const now = await threads.findOne({ _id, account }, { projection: { address: 1 } });
    if (now?.address !== undefined && now.address !== address) await set({ ...thread, address: now.address }, block);
    // The assistant may have been deleted since the thread was read.
    if (await deletedAssistants.isDeleted(thread.account, thread.assistant)) await drop(thread);
  }

  const find = (scope: ThreadScope, address: string): Promise<BlockDoc | null> =>
    blocks.findOne({ _id: idOf(scope, address), account: scope.account });

  const drop = async ({ account, kind, assistant }: ThreadScope): Promise<boolean> =>
    !(await deletePublished(blocks, { account, kind, assistant })).isLeft;

  return {
    /** The block of an address, in force or lifted; null if it was never blocked. */
    find,

    /** Returns whether one of the addresses is blocked. */
    async holdsFor(scope: ThreadScope, addresses: readonly string[]): Promise<boolean> {
      const ids = addresses.map((address) => idOf(scope, address));
      const held = { _id: { $in: ids }, account: scope.account, blocked_at: { $ne: null } };
      return (await blocks.findOne(held, { projection: { _id: 1 } })) !== null;
    },

    /** Returns whether the address of a thread is blocked, which then reaches the thread if it came too late to be found. */
    async reach(thread: ThreadDoc): Promise<boolean> {
      const block = await find(thread, thread.address!);
      if (!block?.blocked_at) return false;
      await copy(block);
      return true;
    },

    /** Cancels pending answers and refuses what the end user says from now on. Idempotent. */
    block: (thread: ThreadDoc): Promise<void> => set(thread, true),

    /** Idempotent. */
    unblock: (thread: ThreadDoc): Promise<void> => set(thread, false),

    /** Removes all blocks of an assistant, once their events are published. Returns whether none is left. */
    drop,
  };
}

const idOf = ({ account, kind, assistant }: ThreadScope, address: string): string =>
  deriveId(account, kind, assistant, address);
