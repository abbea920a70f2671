import { notFound } from '@parley/runtime';
import { compute, LIVE, literal } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import { type AiState, aiState } from '../domain/ai-state.ts';
import { checkRoom } from '../domain/limits.ts';
import { messageAdded } from './events.ts';
import { answerId, type DraftDoc, type EntryDoc, type ThreadDoc, type ThreadRef } from './model.ts';
import { mailedAs, type Settings } from './settings.ts';
import { HOLD, madeDue } from './stages.ts';
import { retryOnConflict, type Threads } from './threads.ts';

export type Drafts = ReturnType<typeof draftStore>;

/** Does what the owner does with the AI in a ticket or an email: reads, changes, sends or discards its drafts, and turns it on or off. */
export function draftStore(threads: Threads, settings: Settings) {
  const { collection, entries } = threads;

  async function find(ref: ThreadRef): Promise<ThreadDoc> {
    if (ref.kind === 'chat') throw notFound('There is no such ticket or email.');
    return threads.find(ref);
  }

  async function draftOf(ref: ThreadRef): Promise<DraftDoc> {
    const { draft } = await find(ref);
    if (!draft) throw noDraft();
    return draft;
  }

  return {
    get: draftOf,

    /** Replaces the text. Its sources no longer need to fit, so they go. */
    async change(ref: ThreadRef, text: string): Promise<DraftDoc> {
      const { entry } = await draftOf(ref);
      const { account, id: _id } = ref;
      const filter: Filter<ThreadDoc> = { _id, account, ...LIVE, 'draft.entry': entry };
      const changed = { 'draft.text': literal(text), 'draft.changed': true, 'draft.sources': literal([]) };
      const thread = await collection.unlisted.findOneAndUpdate(filter, [compute(changed)], {
        returnDocument: 'after',
      });
      if (!thread) throw noDraft();
      return thread.draft!;
    },

    /** Idempotent. */
    async discard(ref: ThreadRef): Promise<void> {
      const { _id, account } = await find(ref);
      await collection.unlisted.updateOne({ _id, account, ...LIVE }, [compute({ draft: null })]);
    },

    /**
     * Says what the draft says: as the AI, or as the owner if the owner has changed it. The AI may go on afterwards.
     * Idempotent by operation, and however many send it, it is said once.
     */
    send: (ref: ThreadRef, op: string, owner_name = ''): Promise<ThreadDoc> =>
      retryOnConflict(async () => {
        const thread = await find(ref);
        if (thread.draft_sent_by === op) return thread;
        const { draft } = thread;
        if (!draft) throw noDraft();
        checkRoom(thread);
        const { entry: in_reply_to, text, sources, confidence = null } = draft;
        const said = draft.changed
          ? ({ by: 'owner', owner_name } as const)
          : ({ by: 'ai', sources, confidence } as const);
        const _id = answerId(in_reply_to);
        const sent = { draft: null, answered: true, draft_sent_by: literal(op) };
        return threads.act(thread, {
          guard: { 'draft.entry': in_reply_to, 'draft.at': draft.at, 'draft.text': text },
          entry: { _id, text, in_reply_to, ...said, ...mailedAs(settings, thread, 'asked') },
          evidence: await evidenceOfDraft(thread, in_reply_to, _id),
          effects: [compute(sent)],
          events: [messageAdded(thread, _id, said.by)],
        });
      }),

    /**
     * On: the AI may answer again, and will answer the newest message of the user if nobody has. Off: it stays out, as after
     * an owner's message. Idempotent.
     */
    setAi: (ref: ThreadRef, on: boolean): Promise<AiState> =>
      retryOnConflict(async () => {
        const thread = await find(ref);
        const waits = on && !thread.pending?.due && !thread.draft && !thread.blocked_at && (await unanswered(thread));
        const answers = waits ? madeDue(waits._id, { ms: 0, authenticated: waits.mail?.authenticated ?? true }) : [];
        const stages = on ? [compute({ hold: null }), ...answers] : [HOLD];
        const set = await threads.change(thread, stages, { blocked_at: thread.blocked_at });
        return set && aiState(set);
      }),
  };

  /** The newest message, if a person has sent it as the user. */
  async function unanswered(thread: ThreadDoc): Promise<EntryDoc | undefined> {
    const [newest] = await entries.of(thread, { said: true, limit: 1 });
    return newest?.by === 'user' && !newest.mail?.automatic ? newest : undefined;
  }

  async function evidenceOfDraft({ account, _id }: ThreadDoc, question: string, entry: string) {
    const stored = await entries.evidence.find(account, _id, question);
    return stored && { ...stored, entry };
  }
}

const noDraft = () => notFound('There is no draft.');
