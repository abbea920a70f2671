import { corpusMigrations, createCorpus } from '@parley/corpus';
import { createLog, readEnv } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { readConfig } from '../config.ts';
import { createTrainer } from '../create.ts';
import type { TrainingStep } from './training-steps.ts';

/**
 * A trainer that hangs at one step of a training, so that a test can kill it there. It writes `reached` to standard error.
 */
const step = process.argv[2]!;
const config = readConfig(readEnv(process.env));

async function at(name: TrainingStep): Promise<void> {
  if (name !== step) return;
  process.stderr.write('reached\n');
  await new Promise(() => {});
}

/** The function, followed by a step. */
const then =
  <A extends unknown[], R>(act: (...args: A) => Promise<R>, name: TrainingStep) =>
  async (...args: A): Promise<R> => {
    const result = await act(...args);
    await at(name);
    return result;
  };

const log = createLog('dying', 'silent');
const { db } = openMongo(config.mongodb, corpusMigrations, log);
const { training, builds, chunks, subPages, ...rest } = createCorpus(db);
const objects = openObjects(config.objects, log);
const trainer = createTrainer(config, {
  objects: { ...objects, put: then(objects.put, 'a page is kept') },
  corpus: {
    ...rest,
    builds: { ...builds, open: then(builds.open, 'the build is open') },
    chunks: { ...chunks, insert: then(chunks.insert, 'chunks are written') },
    subPages: { ...subPages, record: then(subPages.record, 'a page is done') },
    training: {
      ...training,
      claim: async () => {
        const job = await training.claim();
        if (job) await at('the job is claimed');
        return job;
      },
      publish: async (...args) => {
        await at('the build is complete');
        return then(training.publish, 'the build is live')(...args);
      },
    },
  },
});
await trainer.start();
