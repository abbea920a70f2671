import { notFound } from '@parley/runtime';
import { compute, literal } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { Change, Persona } from '../domain/entries.ts';
import { checkRoom } from '../domain/limits.ts';
import type { ReceivedMail } from '../domain/mail.ts';
import { changed, changeEntry, messageAdded } from './events.ts';
import { changeId, type ThreadDoc, type ThreadRef } from './model.ts';
import { mailedAs, type Settings } from './settings.ts';
import { HOLD } from './stages.ts';
import { retryOnConflict, type ThreadChange, type Threads } from './threads.ts';
import { dueOf, reopens, userMessage } from './user-message.ts';

/** A change. Absent fields stay as they are. */
export interface Update {
  status?: string | undefined;
  priority?: string | undefined;
}

/** How the end user has sent a message. */
export interface SentBy {
  /** If it came by mail; what a program has sent has no effects. */
  mail?: ReceivedMail;
  /** If it came by a link: the number that the link was made with. */
  link?: number | undefined;
}

export type People = ReturnType<typeof peopleStore>;

/**
 * The operations of people on tickets and emails. They never wait: any order and concurrency is fine, whatever the AI is
 * doing. Each returns the resulting thread. Idempotent by operation.
 */
export function peopleStore(threads: Threads, settings: Settings) {
  const { collection, entries } = threads;

  /**
   * @param ids the entries that the operation may have made before
   * @param decide returns the act for the thread as it was read, or that a person only takes over; undefined if there is
   * nothing to do
   */
  const act = (ref: ThreadRef, ids: string[], decide: (thread: ThreadDoc) => ThreadChange | 'hold' | undefined) =>
    retryOnConflict(async () => {
      if (ref.kind === 'chat') throw notFound('There is no such ticket or email.');
      const thread = await threads.find(ref);
      for (const id of ids) if (await entries.find(thread, id)) return thread;
      const decided = decide(thread);
      if (decided === 'hold') return threads.change(thread, [HOLD]);
      return decided ? threads.act(thread, decided) : thread;
    });

  return {
    /**
     * A user's message. The AI will answer it, unless a human has taken over. Reopens what was resolved or closed.
     *
     * @throws AppError `not_found` if its link was revoked
     */
    async addUserMessage(ref: ThreadRef, op: string, text: string, { mail, link }: SentBy = {}): Promise<ThreadDoc> {
      const entry = { _id: op, by: 'user' as const, text, ...(mail && { mail }) };
      return collection.write(async () => {
        const said = await act(ref, [op], (thread) => {
          if (link !== undefined && link !== (thread.link ?? 0)) throw notFound('This link is no longer valid.');
          return userMessage(thread, entry, dueOf(settings, mail));
        });
        return { result: said, changed: [], moved: (await reopens(entries, said, op)) ? [said] : [] };
      });
    },

    /** A message of the owner or one of their personas. Allowed in a blocked thread. */
    reply: (ref: ThreadRef, op: string, text: string, persona?: Persona, owner_name = '') =>
      act(ref, [op], (thread) => {
        checkRoom(thread);
        const by = persona ? { by: 'persona' as const, persona } : { by: 'owner' as const, owner_name };
        const events = [messageAdded(thread, op, by.by)];
        return {
          entry: { _id: op, text, ...by, ...mailedAs(settings, thread, 'asked') },
          effects: [HOLD, compute({ draft: null })],
          events,
        };
      }),

    /** Ends the links by which the person behind a ticket reads it. */
    revokeLink: (ref: ThreadRef) =>
      retryOnConflict(async () => {
        if (ref.kind !== 'ticket') throw notFound('There is no such ticket.');
        const thread = await threads.find(ref);
        return threads.change(thread, [compute({ link: (thread.link ?? 0) + 1 })]);
      }),

    /** Returns whether the operation has stored a message in the thread. */
    hasSaid: async (ref: ThreadRef, op: string): Promise<boolean> =>
      (await entries.find(await threads.find(ref), op)) !== undefined,

    /**
     * A human sets the status, which stops the AI, or the priority, which does not, or both in one write. A field that
     * stays the same is no change, but setting the status to what it is stops the AI, too.
     *
     * @param by the id of the API key
     */
    async update(ref: ThreadRef, op: string, by: string, update: Update): Promise<ThreadDoc> {
      const ids = FIELDS.filter((field) => update[field] !== undefined).map((field) => changeId(op, field));
      const isStatus = update.status !== undefined;
      const decide = (thread: ThreadDoc) =>
        updateOf(thread, op, by, update) ?? (isStatus && !thread.hold ? 'hold' : undefined);
      return collection.write(async () => {
        const updated = await act(ref, ids, decide);
        // Also if the operation was done before: whoever did it may have died before this.
        return { result: updated, changed: [], moved: isStatus ? [updated] : [] };
      });
    },
  };
}

const FIELDS = ['status', 'priority'] as const;

function updateOf(thread: ThreadDoc, op: string, by: string, update: Update): ThreadChange | undefined {
  const changes = FIELDS.flatMap((field): Change[] => {
    const [from, to] = [thread[field], update[field]];
    return to === undefined || to === from ? [] : [{ by, field, from, to }];
  });
  const [entry, before] = changes.map((change) => changeEntry(op, change)).reverse();
  if (!entry) return undefined;
  return {
    entry,
    before,
    // Also if only the priority has changed: a status that is set stops the AI, whatever it was.
    effects: [...changes.map(effectOf), ...(update.status === undefined ? [] : [HOLD])],
    events: changes.map((change) => changed(thread, change)),
  };
}

const effectOf = ({ field, to }: Change): Document => compute({ [field]: literal(to) });
