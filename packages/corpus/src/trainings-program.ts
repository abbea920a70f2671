import { type MongoProgram, runMongoProgram } from '@parley/runtime/mongo';
import { createCorpus } from './store/corpus.ts';
import { UNLIMITED } from './store/usage.ts';

/** Prints how many trainings of each account wait, and for how many seconds the oldest has. */
export const runTrainingsProgram = (program: MongoProgram): Promise<number> =>
  runMongoProgram(program, 'corpus', async (db) => {
    const waiting = await createCorpus(db, UNLIMITED).training.waitingByAccount();
    const rows = waiting.map(({ account, depth, oldestAge }) => [
      account,
      String(depth),
      String(Math.round(oldestAge)),
    ]);
    return [['ACCOUNT', 'WAITING', 'OLDEST (S)'], ...rows];
  });
