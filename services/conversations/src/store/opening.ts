import { alreadyExists, normalAddress, notFound } from '@parley/runtime';
import { compute, type Fact, outbox } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import type { Opening } from '../domain/opening.ts';
import { NEW } from '../domain/status.ts';
import type { Blocks } from './blocks.ts';
import { type Place, type ThreadDoc, type ThreadRef, threadId } from './model.ts';
import { blocked } from './questions.ts';
import type { Removal } from './removal.ts';
import { asked } from './stages.ts';
import { insist, type Threads } from './threads.ts';

export type Openings = ReturnType<typeof openingStore>;

/** New tickets and emails. */
export function openingStore(threads: Threads, blocks: Blocks, removal: Removal) {
  const { collection, stamps, gone } = threads;

  /** Whatever its state; undefined if there is none. */
  async function stored({ account, kind, assistant, id }: ThreadRef): Promise<ThreadDoc | undefined> {
    const thread = await collection.findOne({ _id: id, account });
    if (thread && (thread.kind !== kind || thread.assistant !== assistant))
      throw alreadyExists('This operation was used for another conversation.');
    return thread ?? undefined;
  }

  /** Stores the thread, which is not open yet; undefined if an earlier attempt has stored it. */
  function store({ account, kind, assistant, id }: ThreadRef, op: string, opening: Opening) {
    const { email, name, subject, message } = opening;
    const from = { from: { email, name }, address: normalAddress(email), subject: kind === 'email' ? subject : '' };
    const first = { entry: { _id: op, by: 'user', text: message }, effects: asked(op, 0) } as const;
    const waits = compute({ opening_at: '$$NOW', deleted_at: '$$NOW' });
    return threads.open(account, { _id: id, kind, assistant, ...NEW, ...from }, first, [waits]);
  }

  /**
   * Why the thread may not open, if so, and the version of the block that says so or not. Decisive only after the thread was
   * stored, where a deletion or a block will find it.
   */
  async function check({ account, kind, assistant, address }: Place & { address?: string }) {
    const [isGone, block] = await Promise.all([
      gone.isGone(assistant),
      blocks.find({ account, kind, assistant }, address!),
    ]);
    const version = block?.version ?? 0;
    if (isGone) return { refused: assistantGone(), version };
    return { refused: block?.blocked_at ? blocked() : undefined, version };
  }

  const waiting = ({ _id, account }: ThreadDoc): Filter<ThreadDoc> => ({ _id, account, opening_at: { $exists: true } });

  /**
   * Null if it has been removed since it was stored, or a block has reached it. A block cancels the answer and may have been
   * lifted since, or be lifted only in part: then the thread is removed, for the next attempt to begin anew.
   *
   * @param block_version The opened thread is as if this block had been copied to it: an older one comes too late.
   */
  async function confirm(thread: ThreadDoc, block_version: number): Promise<ThreadDoc | null> {
    // A list is never extended in its past.
    const now = { created_at: '$$NOW', updated_at: '$$NOW', 'last.at': '$$NOW' };
    const opens = compute({ deleted_at: null, opening_at: '$$REMOVE', block_version, ...now });
    const stages = [opens, ...outbox(factOf(thread))];
    const filter = { ...waiting(thread), block_version: { $exists: false } };
    const opened = await collection.findOneAndUpdate(filter, stages, { returnDocument: 'after' });
    if (!opened) {
      await collection.deleteOne({ ...waiting(thread), block_version: { $exists: true } });
      return null;
    }
    await stamps.create(opened);
    threads.keepLast(opened);
    return opened;
  }

  return {
    /**
     * Opens a ticket or an email with its first message; idempotent by operation. A thread is stored before the checks and
     * counts as deleted until they have passed: so neither a block nor the deletion of the assistant at the same time, nor
     * the death of this process, leaves an open thread behind that should not be.
     *
     * @throws AppError `permission_denied` if the address is blocked, `not_found` if the assistant was deleted.
     */
    async open(account: string, assistant: string, op: string, opening: Opening): Promise<ThreadDoc> {
      const ref: ThreadRef = { account, kind: opening.kind, assistant, id: threadId(op) };
      const sender = { ...ref, address: normalAddress(opening.email) };
      return insist(async () => {
        const [earlier, early] = await Promise.all([stored(ref), check(sender)]);
        if (earlier?.deleted_at && !earlier.opening_at) throw assistantGone();
        if (earlier && !earlier.opening_at) return earlier;
        if (early.refused && !earlier) throw early.refused;
        const thread = earlier ?? (await store(ref, op, opening));
        // Another call of the same operation was faster.
        if (!thread) return null;
        const { refused, version } = await check(thread);
        if (!refused) return confirm(thread, version);
        await collection.deleteOne(waiting(thread));
        if (refused.code === 'not_found') await removal.undo(thread);
        throw refused;
      });
    },
  };
}

const assistantGone = () => notFound('This assistant has been deleted.');

function factOf({ kind, assistant }: ThreadDoc): Fact {
  return kind === 'ticket'
    ? { case: 'ticketCreated', value: { ticketFormId: assistant } }
    : { case: 'emailCreated', value: { emailInboxId: assistant } };
}
