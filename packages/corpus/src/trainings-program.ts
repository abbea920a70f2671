import { type MongoProgram, runMongoProgram } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { createCorpus } from './store/corpus.ts';
import { UNLIMITED } from './store/usage.ts';

/** Prints how many trainings of each account wait, and for how many seconds the oldest has. */
export const runTrainingsProgram = (program: MongoProgram): Promise<number> =>
  runMongoProgram(program, ['ACCOUNT', 'WAITING', 'OLDEST (S)'], [{ service: 'corpus', read: waitingIn }]);

async function waitingIn(db: Db): Promise<string[][]> {
  const waiting = await createCorpus(db, UNLIMITED).training.waitingByAccount();
  return waiting.map(({ account, depth, oldestAge }) => [account, String(depth), String(Math.round(oldestAge))]);
}
