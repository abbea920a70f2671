import { notFound } from '@parley/runtime';
import { compute, type Fact, literal } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { Change, Persona } from '../domain/entries.ts';
import { checkRoom } from '../domain/limits.ts';
import { changeId, type ThreadDoc, type ThreadRef } from './model.ts';
import { blocked } from './questions.ts';
import { asked, type NewEntry } from './stages.ts';
import { type Act, insist, type Threads } from './threads.ts';

/** A human takes over: the AI no longer answers. */
const HOLD: Document = compute({ pending: null, failed: null, hold: { $ifNull: ['$hold', '$$NOW'] } });

/** What to set. Absent fields stay as they are. */
export interface Update {
  status?: string | undefined;
  priority?: string | undefined;
}

export type People = ReturnType<typeof peopleStore>;

/**
 * The operations of people on tickets and emails. They never wait: any order and concurrency is fine, whatever the AI is
 * doing. Each returns the resulting thread. Idempotent by operation.
 */
export function peopleStore(threads: Threads) {
  const { entries, stamps } = threads;

  /**
   * @param ids the entries that the operation may have made before
   * @param decide returns the act for the thread as it was read; undefined if there is nothing to do
   */
  const act = (ref: ThreadRef, ids: string[], decide: (thread: ThreadDoc) => Act | undefined) =>
    insist(async () => {
      if (ref.kind === 'chat') throw notFound('There is no such ticket or email.');
      const thread = await threads.find(ref);
      for (const id of ids) if (await entries.find(thread, id)) return thread;
      const decided = decide(thread);
      return decided ? threads.act(thread, decided) : thread;
    });

  return {
    /** A user's message. The AI will answer it, unless a human has taken over. */
    say: (ref: ThreadRef, op: string, text: string) =>
      act(ref, [op], (thread) => {
        if (thread.blocked_at) throw blocked();
        checkRoom(thread);
        return { guard: { blocked_at: null }, entry: { _id: op, by: 'user', text }, effects: asked(op, 0) };
      }),

    /** A message of the owner or one of their personas. Allowed in a blocked thread. */
    reply: (ref: ThreadRef, op: string, text: string, persona?: Persona) =>
      act(ref, [op], (thread) => {
        checkRoom(thread);
        const by = persona ? { by: 'persona' as const, persona } : { by: 'owner' as const };
        return { entry: { _id: op, text, ...by }, effects: [HOLD] };
      }),

    /** Whether the operation has stored a message in the thread. */
    hasSaid: async (ref: ThreadRef, op: string): Promise<boolean> =>
      (await entries.find(await threads.find(ref), op)) !== undefined,

    /**
     * A human sets the status, which stops the AI, or the priority, which does not, or both in one write. A field that
     * stays the same is no change.
     *
     * @param by the id of the API key
     */
    async update(ref: ThreadRef, op: string, by: string, update: Update): Promise<ThreadDoc> {
      const ids = FIELDS.filter((field) => update[field] !== undefined).map((field) => changeId(op, field));
      const updated = await act(ref, ids, (thread) => updateOf(thread, op, by, update));
      // Also if the operation was done before: whoever did it may have died before this.
      if (update.status !== undefined) await stamps.bump(updated);
      return updated;
    },
  };
}

const FIELDS = ['status', 'priority'] as const;

function updateOf(thread: ThreadDoc, op: string, by: string, update: Update): Act | undefined {
  const changes = FIELDS.flatMap((field): Change[] => {
    const [from, to] = [thread[field], update[field]];
    return to === undefined || to === from ? [] : [{ by, field, from, to }];
  });
  const [entry, before] = changes.map((change) => entryOf(op, change)).reverse();
  if (!entry) return undefined;
  return { entry, before, effects: changes.flatMap(effectsOf), facts: changes.map((change) => factOf(thread, change)) };
}

const entryOf = (op: string, change: Change): NewEntry => ({
  _id: changeId(op, change.field),
  by: 'system',
  text: '',
  change,
});

const effectsOf = ({ field, to }: Change): Document[] => [
  compute({ [field]: literal(to) }),
  ...(field === 'status' ? [HOLD] : []),
];

function factOf({ assistant: assistantId }: ThreadDoc, { field, from, to }: Change): Fact {
  const value = { assistantId, from: from ?? '', to };
  return field === 'status' ? { case: 'threadStatusChanged', value } : { case: 'threadPriorityChanged', value };
}
