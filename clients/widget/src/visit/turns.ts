import type { Source } from '../answer/answer.tsx';
import type { Confidence, Failure, Reply, Said, Vote } from './api.ts';

/** A question and its answer, as far as it is known. */
export interface Turn {
  /** The Idempotency-Key of its request. */
  key: string;
  /** Absent: the assistant spoke unasked. */
  question: string | undefined;
  state: 'asking' | 'answered' | 'stopped' | 'failed';
  /** Without the closing list of sources. */
  text: string;
  sources: Source[];
  /** Undefined until the answer is complete. */
  confidence: Confidence | undefined;
  /** Why it failed. */
  failure?: Failure | undefined;
  /** The id of the answer, which a vote names. */
  id?: string | undefined;
  vote?: Vote | undefined;
}

export const asked = (key: string, question: string | undefined): Turn => ({
  key,
  question,
  state: 'asking',
  text: '',
  sources: [],
  confidence: undefined,
});

/** Returns what an answer adds to its turn. */
export const answered = ({ message_id, message, sources, confidence }: Omit<Reply, 'visitor_token'>) => ({
  state: 'answered' as const,
  text: withoutList(message, sources),
  sources,
  confidence,
  failure: undefined,
  id: message_id,
});

/** The turns of an earlier visit. A question that has no answer yet is `asking`. */
export function turnsOf(messages: readonly Said[]): Turn[] {
  const turns: Turn[] = [];
  for (const { id, role, message, sources = [], confidence = null, vote } of messages) {
    if (role === 'user') {
      turns.push(asked(id, message));
      continue;
    }
    const last = turns.at(-1);
    const turn = last?.state === 'asking' ? last : asked(id, undefined);
    if (turn !== last) turns.push(turn);
    Object.assign(turn, answered({ message_id: id, message, sources, confidence }), vote && { vote });
  }
  return turns;
}

/** The message without its closing list of sources: a blank line, a heading, and a line for each. */
export function withoutList(message: string, sources: readonly Source[]): string {
  const lines = message.split('\n');
  const list = sources.length > 0 ? lines.slice(-sources.length) : [];
  const isList = list.length > 0 && list.every((line, i) => line.startsWith(`[${sources[i]!.n}] `));
  return isList ? lines.slice(0, -(sources.length + 2)).join('\n') : message;
}
