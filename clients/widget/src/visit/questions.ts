import { type Api, type Failure, failureOf, isPassing } from './api.ts';
import type { Introduction } from './introduction.ts';
import type { Memory } from './memory.ts';
import type { Store } from './store.ts';
import { answered, asked, type Turn } from './turns.ts';

export interface Questions {
  ask(message: string): void;
  /** Sends the same request again, which makes no second question of it. */
  retry(key: string): void;
  /** Goes on with a question whose answer an earlier page did not live to see. */
  resume(asking: { key: string; message: string }): void;
  /** Shows no more of the answer. */
  stop(key: string): void;
  /** Ends the request under way. */
  abort(): void;
}

interface Dependencies {
  api: Pick<Api, 'ask'>;
  memory: Memory;
  store: Store;
  introduction: Introduction;
  /** The token is not valid any more, or its conversation is gone. */
  forget(): void;
  newKey(): string;
  pause(ms: number): Promise<void>;
}

/** How long until a request whose connection broke is repeated by itself; then the visitor may. */
const BROKEN_PAUSES_MS = [1_000, 3_000];
/** While its answer is still being written for an earlier one, it waits at the gateway, too. */
const UNDER_WAY_PAUSES_MS = Array<number>(10).fill(1_000);

/** Undefined if it is not repeated. */
function pauseAfter({ status }: Failure, repeats: number): number | undefined {
  if (status === 409) return UNDER_WAY_PAUSES_MS[repeats];
  return status === 0 && navigator.onLine !== false ? BROKEN_PAUSES_MS[repeats] : undefined;
}

/** Returns whether a new conversation cures it. */
export const hasEnded = ({ status }: Failure): boolean => status === 401 || status === 404;

/** Asks one question after the other. */
export function createQuestions({ api, memory, store, introduction, forget, newKey, pause }: Dependencies): Questions {
  let connection: AbortController | undefined;
  /** The request under way, which the next one waits for. */
  let underWay: Promise<void> = Promise.resolve();
  const isShown = (key: string) => store.turn(key)?.state === 'asking';
  const add = (turn: Turn, before = store.state().turns) => store.set({ turns: [...before, turn] });

  function start(key: string, message: string) {
    underWay = underWay.then(() => run(key, message));
  }

  async function run(key: string, message: string): Promise<void> {
    if (!store.turn(key)) return;
    memory.asking = { key, message };
    for (let repeats = 0; ; repeats++) {
      connection = new AbortController();
      try {
        await introduction.make();
        return await finish(key, message, connection);
      } catch (error) {
        const failure = failureOf(error);
        const ms = isShown(key) ? pauseAfter(failure, repeats) : undefined;
        if (ms === undefined) return fail(key, message, failure);
        await pause(ms);
        if (!isShown(key)) return;
      }
    }
  }

  async function finish(key: string, message: string, connection: AbortController): Promise<void> {
    let written = '';
    const progress = {
      text(sentence: string) {
        written += sentence;
        const { text: shown = '' } = store.turn(key) ?? {};
        // What was there before the connection broke is not said again.
        if (!isShown(key) || shown.startsWith(written)) return;
        store.emit('sentence', written.startsWith(shown) ? written.slice(shown.length) : sentence);
        store.update(key, { text: written });
      },
      sources: (sources: Turn['sources']) => isShown(key) && store.update(key, { sources }),
    };
    const reply = await api.ask(message, key, progress, connection);
    memory.token = reply.visitor_token;
    memory.asking = undefined;
    void introduction.make();
    if (!isShown(key)) return;
    const answer = answered(reply);
    if (written === '') store.emit('sentence', answer.text);
    store.update(key, answer);
    store.emit('answer', { message: answer.text, sources: answer.sources, confidence: answer.confidence });
  }

  async function fail(key: string, message: string, failure: Failure): Promise<void> {
    if (!isPassing(failure)) memory.asking = undefined;
    if (!isShown(key)) return;
    if (hasEnded(failure) && memory.token !== undefined) {
      forget();
      // Another request, since the refusal of this one may be kept for its key.
      const anew = newKey();
      add(asked(anew, message), []);
      return run(anew, message);
    }
    store.report(failure);
    store.update(key, { state: 'failed', failure });
    if (failure.status === 403) store.set({ blocked: true });
  }

  return {
    ask(message) {
      const key = newKey();
      store.set({ expired: false });
      add(asked(key, message));
      store.emit('question', { message });
      start(key, message);
    },
    retry(key) {
      const turn = store.turn(key);
      if (turn?.state !== 'failed' || turn.question === undefined) return;
      store.update(key, { state: 'asking', failure: undefined });
      start(key, turn.question);
    },
    resume({ key, message }) {
      const { turns } = store.state();
      const last = turns.at(-1);
      const isThere = last?.question === message && last.state === 'asking';
      add(asked(key, message), isThere ? turns.slice(0, -1) : turns);
      start(key, message);
    },
    stop(key) {
      if (!isShown(key)) return;
      store.update(key, { state: 'stopped' });
      // Without a token, it reads on for one: this conversation would be lost.
      if (memory.token === undefined) return;
      memory.asking = undefined;
      connection?.abort();
    },
    abort: () => connection?.abort(),
  };
}
