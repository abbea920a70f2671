import { type Api, Failure, failureOf, type Identity, type Ticket, type Vote } from './api.ts';
import { createIntroduction } from './introduction.ts';
import type { Memory } from './memory.ts';
import { createQuestions, hasEnded } from './questions.ts';
import { createStore, type Emit, type VisitState } from './store.ts';
import { type Turn, turnsOf } from './turns.ts';

export type Visit = ReturnType<typeof createVisit>;

interface Dependencies {
  api: Api;
  memory: Memory;
  emit: Emit;
  changed(state: VisitState): void;
  newKey(): string;
  pause(ms: number): Promise<void>;
}

/** Keeps what a visitor says to a chatbot, and what it answers: the state behind the panel, without a view. */
export function createVisit({ api, memory, emit, changed, newKey, pause }: Dependencies) {
  const store = createStore(changed, emit);
  const introduction = createIntroduction(api, memory, store);
  let voting = Promise.resolve(true);
  const questions = createQuestions({ api, memory, store, introduction, forget, newKey, pause });

  function forget() {
    memory.token = undefined;
    introduction.repeat();
    store.set({ expired: true });
  }

  async function load(): Promise<void> {
    store.set({ failure: undefined });
    try {
      const [chatbot] = await Promise.all([store.state().chatbot ?? api.chatbot(), introduction.make()]);
      const turns = await earlier();
      store.set({ chatbot, turns });
    } catch (error) {
      store.set({ failure: failureOf(error) });
    }
    settle();
  }

  /** Returns what was said before, unless that conversation has ended. */
  async function earlier(): Promise<Turn[]> {
    if (memory.token === undefined) return [];
    try {
      return turnsOf((await api.history()).conversation);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status === 403) store.set({ blocked: true });
      else if (hasEnded(failure)) forget();
      else throw failure;
      return [];
    }
  }

  /** Gives the last question of an earlier page its end. */
  function settle() {
    const { asking } = memory;
    const { chatbot, turns } = store.state();
    const last = turns.at(-1);
    if (asking && last?.question === asking.message && last.state === 'answered') memory.asking = undefined;
    else if (asking && chatbot) questions.resume(asking);
    else if (last?.state === 'asking')
      store.update(last.key, { state: 'failed', failure: new Failure(0, 'It was cut off.') });
  }

  function restart() {
    questions.abort();
    store.set({ turns: [], expired: false, blocked: false });
  }

  return {
    load,
    state: store.state,
    ask: questions.ask,
    retry: questions.retry,
    stop: questions.stop,

    /** One after the other, since the last one counts. False if it was refused. */
    vote(key: string, vote: Vote, reason?: string): Promise<boolean> {
      const { id, vote: before } = store.turn(key)!;
      store.update(key, { vote });
      voting = voting.then(async () => {
        try {
          await api.vote(id!, vote, reason);
          emit('vote', { message_id: id!, vote });
          return true;
        } catch (error) {
          store.update(key, { vote: before });
          store.report(failureOf(error));
          return false;
        }
      });
      return voting;
    },

    form: () => api.form(store.state().chatbot!.ticket_form!),

    /** The conversation, if there is one, goes along. The same `key` makes one ticket, however often it is sent. */
    async openTicket(ticket: Omit<Ticket, 'conversation'>, files: readonly File[], key: string): Promise<string> {
      const { chatbot, turns } = store.state();
      const conversation = turns.length > 0 && memory.token !== undefined && { conversation: memory.token };
      const { id, token } = await api.openTicket(chatbot!.ticket_form!, { ...ticket, ...conversation }, files, key);
      emit('ticket', { id });
      return token;
    },

    newConversation(): void {
      memory.token = undefined;
      memory.asking = undefined;
      introduction.repeat();
      restart();
      emit('conversation', undefined);
    },

    /** Before or during a conversation. Another user of the page gets a conversation of their own. */
    async identify(identity: Identity): Promise<void> {
      introduction.as(identity);
      const isOther = memory.switchTo(identity.signature === undefined ? undefined : identity.user_id);
      if (isOther) restart();
      if (store.state().chatbot) await (isOther ? load() : introduction.make());
    },
  };
}
