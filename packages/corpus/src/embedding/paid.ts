import { estimateTokens } from '@parley/runtime';
import { QuotaExceeded, type TokenBudget } from '@parley/runtime/mongo';
import type { Embedder, Spent } from './embedder.ts';

/** Returns what the texts cost about, rather too much than too little. */
export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + estimateTokens(text), 0);

/**
 * The embedder for the texts of an account, whose tokens count if they are paid for: once those of the day are spent, it
 * throws a QuotaExceeded.
 */
export function paidBy(account: string, embedder: Embedder, tokens: TokenBudget): Embedder {
  if (!embedder.isPaid) return embedder;

  async function paid<T>(texts: readonly string[], embed: (spent: Spent) => Promise<T>): Promise<T> {
    const reservation = await tokens.reserve(account, tokensOf(texts));
    if (!reservation) throw new QuotaExceeded(SPENT(tokens.perDay));
    let used = 0;
    try {
      return await embed((more) => {
        used += more;
      });
    } finally {
      await reservation.settle(used);
    }
  }

  return {
    ...embedder,
    embed: (texts, signal) => paid(texts, (spent) => embedder.embed(texts, signal, spent)),
    embedQuery: (text, signal) => paid([text], (spent) => embedder.embedQuery(text, signal, spent)),
  };
}

const SPENT = (perDay: number): string =>
  `An account may have ${perDay.toLocaleString('en')} tokens embedded in a day (EMBEDDING_TOKENS_PER_DAY), and this one has too few left. Train the item again after midnight (UTC).`;
