import type { Chatbot, Failure, Vote } from './api.ts';
import type { Turn } from './turns.ts';

export interface VisitState {
  /** Undefined until it is loaded. */
  chatbot: Chatbot | undefined;
  /** Why it could not be loaded. */
  failure: Failure | undefined;
  turns: readonly Turn[];
  /** The visitor may not write here any more. */
  blocked: boolean;
  /** The conversation of the last visit has ended, so this is a new one. */
  expired: boolean;
}

/** Events that a page can listen to, with their data. */
export interface VisitEvents {
  question: { message: string };
  answer: { message: string; sources: Turn['sources']; confidence: Turn['confidence'] };
  /** One whole sentence of an answer, for those who hear it. */
  sentence: string;
  vote: { message_id: string; vote: Vote };
  ticket: { id: string };
  conversation: undefined;
  error: { status: number; message: string };
}

export type Emit = <K extends keyof VisitEvents>(event: K, detail: VisitEvents[K]) => void;

/** The state, and its listeners. */
export interface Store {
  state(): VisitState;
  set(patch: Partial<VisitState>): void;
  turn(key: string): Turn | undefined;
  update(key: string, patch: Partial<Turn>): void;
  emit: Emit;
  /** Reports what went wrong to the page. */
  report(failure: Failure): void;
}

export function createStore(changed: (state: VisitState) => void, emit: Emit): Store {
  let state: VisitState = { chatbot: undefined, failure: undefined, turns: [], blocked: false, expired: false };
  function set(patch: Partial<VisitState>) {
    state = { ...state, ...patch };
    changed(state);
  }
  return {
    state: () => state,
    set,
    turn: (key) => state.turns.find((turn) => turn.key === key),
    update(key, patch) {
      set({ turns: state.turns.map((turn) => (turn.key === key ? { ...turn, ...patch } : turn)) });
    },
    emit,
    report: ({ status, message }) => emit('error', { status, message }),
  };
}
