import type { Log, Metrics } from '@parley/runtime';
import { type TokenBudget, tokenBudget } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { EMBEDDING_TOKENS } from './collections.ts';

/** Tokens that accounts spend on embedding texts and questions, by all trainers and knowledge services together. */
export const embeddingTokens = (
  db: Db,
  perDay: number,
  log: Pick<Log, 'warn'>,
  metrics?: Pick<Metrics, 'tokens'>,
): TokenBudget =>
  tokenBudget(db, EMBEDDING_TOKENS, {
    ...{ perDay, setting: 'EMBEDDING_TOKENS_PER_DAY', log },
    used: (tokens) => metrics?.tokens('embedding', tokens),
  });
