import { alreadyExists, normalAddress, notFound } from '@parley/runtime';
import { type Amounts, compute, type EventPayload, outbox } from '@parley/runtime/mongo';
import type { Collection, Filter } from 'mongodb';
import type { NewConversation } from '../domain/new-conversation.ts';
import { NEW } from '../domain/status.ts';
import type { Blocks } from './blocks.ts';
import { type Kind, type Resource, type ThreadDoc, type ThreadRef, type ThreadScope, threadId } from './model.ts';
import { blocked } from './questions.ts';
import type { Removal } from './removal.ts';
import type { Settings } from './settings.ts';
import { awaited } from './stages.ts';
import { retryOnConflict, type Threads } from './threads.ts';
import { RESOURCES } from './usage.ts';
import { COUNTED, dueOf } from './user-message.ts';

export type PendingCreations = ReturnType<typeof pendingCreationStore>;

/** New tickets and emails. */
export function pendingCreationStore(threads: Threads, blocks: Blocks, removal: Removal, settings: Settings) {
  const { collection, deletedAssistants } = threads;

  /** Whatever its state; undefined if there is none. */
  async function stored({ account, kind, assistant, id }: ThreadRef): Promise<ThreadDoc | undefined> {
    const thread = await collection.findOne({ _id: id, account });
    if (thread && (thread.kind !== kind || thread.assistant !== assistant))
      throw alreadyExists('This operation was used for another conversation.');
    return thread ?? undefined;
  }

  /** Stores the thread, which is not open yet; undefined if an earlier attempt has stored it. */
  function store(
    raw: Collection<ThreadDoc>,
    { account, kind, assistant, id }: ThreadRef,
    op: string,
    newConversation: NewConversation,
  ) {
    const { email, name, subject, message, mail, attached, mailsLink } = newConversation;
    const from = { from: { email, name }, address: normalAddress(email), subject: kind === 'email' ? subject : '' };
    const due = dueOf(settings, mail);
    const effects = due ? awaited(op, due) : [COUNTED];
    const came = { ...(mail && { mail }), ...(attached && { attached }) };
    const mailed = mailsLink && settings.mailDomain !== undefined ? ({ mailed: 'link' } as const) : {};
    const first = { entry: { _id: op, by: 'user' as const, text: message, ...came, ...mailed }, effects };
    const waits = compute({ pending_since: '$$NOW', deleted_at: '$$NOW' });
    return threads.open(raw, account, { _id: id, kind, assistant, ...NEW, ...from }, first, [waits]);
  }

  /**
   * Why the thread may not open, if so, and the version of the block that says so or not. Decisive only after the thread was
   * stored, where a deletion or a block will find it.
   */
  async function check({ account, kind, assistant, address }: ThreadScope & { address?: string }) {
    const [isDeleted, block] = await Promise.all([
      deletedAssistants.isDeleted(account, assistant),
      blocks.find({ account, kind, assistant }, address!),
    ]);
    const version = block?.version ?? 0;
    if (isDeleted) return { refused: assistantDeleted(), version };
    return { refused: block?.blocked_at ? blocked() : undefined, version };
  }

  const waiting = ({ _id, account }: ThreadDoc): Filter<ThreadDoc> => ({
    _id,
    account,
    pending_since: { $exists: true },
  });

  /**
   * Null if it has been removed since it was stored, or a block has reached it. A block cancels the answer and may have been
   * lifted since, or be lifted only in part: then the thread is removed, for the next attempt to begin anew.
   *
   * @param block_version The opened thread is as if this block had been copied to it: an older one comes too late.
   */
  async function confirm(
    raw: Collection<ThreadDoc>,
    thread: ThreadDoc,
    block_version: number,
  ): Promise<ThreadDoc | null> {
    // A list is never extended in its past.
    const now = { created_at: '$$NOW', updated_at: '$$NOW', 'last.at': '$$NOW' };
    const opens = compute({ deleted_at: null, pending_since: '$$REMOVE', block_version, ...now });
    const stages = [opens, ...outbox(eventOf(thread))];
    const filter = { ...waiting(thread), block_version: { $exists: false } };
    const opened = await raw.findOneAndUpdate(filter, stages, { returnDocument: 'after' });
    if (opened) threads.persistLastEntry(opened);
    else await raw.deleteOne({ ...waiting(thread), block_version: { $exists: true } });
    return opened;
  }

  return {
    /**
     * Opens a ticket or an email with its first message; idempotent by operation. A thread is stored before the checks and
     * counts as deleted until they have passed: so neither a block nor the deletion of the assistant at the same time, nor
     * the death of this process, leaves an open thread behind that should not be.
     *
     * @throws AppError `permission_denied` if the address is blocked or the account has too many, `not_found` if the assistant
     * was deleted.
     */
    async open(account: string, assistant: string, op: string, newConversation: NewConversation): Promise<ThreadDoc> {
      const ref: ThreadRef = { account, kind: newConversation.kind, assistant, id: threadId(op) };
      const sender = { ...ref, address: normalAddress(newConversation.email) };
      const open = async () => {
        const thread = await stored(ref);
        return thread && !thread.deleted_at ? thread : null;
      };
      async function attempt(raw: Collection<ThreadDoc>) {
        const [earlier, early] = await Promise.all([stored(ref), check(sender)]);
        if (earlier?.deleted_at && !earlier.pending_since) throw assistantDeleted();
        if (earlier && !earlier.pending_since) return { result: earlier, changed: [] };
        if (early.refused && !earlier) throw early.refused;
        const thread = earlier ?? (await store(raw, ref, op, newConversation));
        // Another call of the same operation was faster.
        if (!thread) return { result: null, changed: [] };
        const { refused, version } = await check(thread);
        if (!refused) {
          const opened = await confirm(raw, thread, version);
          return { result: opened, ...(opened ? { changed: [opened], counted: one(ref.kind) } : { changed: [] }) };
        }
        await raw.deleteOne(waiting(thread));
        if (refused.code === 'not_found') await removal.undo(thread);
        throw refused;
      }
      return retryOnConflict(() => collection.write(attempt, { account, most: one(ref.kind), found: open }));
    },
  };
}

const one = (kind: Kind): Amounts<Resource> => ({ [RESOURCES[kind]]: 1 });

const assistantDeleted = () => notFound('This assistant has been deleted.');

function eventOf({ kind, assistant, last }: ThreadDoc): EventPayload {
  return kind === 'ticket'
    ? { case: 'ticketCreated', value: { ticketFormId: assistant } }
    : { case: 'emailCreated', value: { emailInboxId: assistant, automatic: last?.mail?.automatic ?? false } };
}
