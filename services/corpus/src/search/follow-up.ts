import type { Judged } from './search.ts';

/** Of what the asker said before. */
const MAX_MESSAGE = 2_000;

/** What to search for a question besides itself: it may go on from the one before. Oldest first. */
export function joined(question: string, context: readonly string[]): string | undefined {
  const before = context.findLast((message) => message.trim() !== '' && message.trim() !== question.trim());
  return before === undefined ? undefined : `${before.slice(0, MAX_MESSAGE).trim()}\n${question}`;
}

/** Whether the joined search found a better answer than the question alone: a question that stands alone is diluted by another. */
export function isBetter(joined: readonly Judged[], alone: readonly Judged[]): boolean {
  return bestOf(joined) > bestOf(alone);
}

const bestOf = (judged: readonly Judged[]): number =>
  judged.reduce((most, { evidence }) => Math.max(most, evidence), 0);
