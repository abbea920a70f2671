import type { Db } from 'mongodb';
import { type MongoProgram, runMongoProgram } from './program.ts';
import { type TokensDoc, tokensCollection } from './token-budget.ts';

/** The databases that count tokens, and in which collection. */
const COUNTED = [
  { kind: 'model', service: 'assistants', collection: 'model_tokens' },
  { kind: 'embeddings', service: 'corpus', collection: 'embedding_tokens' },
] as const;

const USAGE_KINDS: readonly string[] = COUNTED.map(({ kind }) => kind);
const MAX_ACCOUNTS = 1_000;

/** Prints the tokens that each account has used today and this month (UTC), those of the most first by kind. */
export function runUsageProgram({ args, ...program }: MongoProgram): Promise<number> {
  const [kind, ...rest] = args;
  const counted = COUNTED.filter((each) => kind === undefined || each.kind === kind);
  const command = `${program.command} [${USAGE_KINDS.join(' | ')}]`;
  const wrong = counted.length === 0 ? args : rest;
  return runMongoProgram(
    { ...program, command, args: wrong },
    ['ACCOUNT', 'TOKENS', 'TODAY', 'MONTH'],
    counted.map(({ kind, service, collection }) => ({ service, read: (db) => usedIn(db, kind, collection) })),
  );
}

async function usedIn(db: Db, kind: string, collection: string): Promise<string[][]> {
  const now = new Date();
  const [month, today] = [
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    new Date(now.setUTCHours(0, 0, 0, 0)),
  ];
  const used = await tokensCollection(db, collection)
    .aggregate<{ _id: string; month: number; today: number }>([
      { $match: { day: { $gte: month } } satisfies Partial<Record<keyof TokensDoc, unknown>> },
      {
        $group: {
          _id: '$account',
          month: { $sum: '$tokens' },
          today: { $sum: { $cond: [{ $gte: ['$day', today] }, '$tokens', 0] } },
        },
      },
      { $sort: { month: -1, _id: 1 } },
      { $limit: MAX_ACCOUNTS },
    ])
    .toArray();
  return used.map(({ _id, month, today }) => [_id, kind, String(today), String(month)]);
}
