import { Readable } from 'node:stream';
import { corpusMigrations, createCorpus, type Embedder, type TrainingJob } from '@parley/corpus';
import { createLog, readEnv } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { readConfig } from '../config.ts';
import { createTrainer } from '../create.ts';
import { countingEmbedders } from './counting-embedders.ts';
import { REEMBEDDING_STEPS, type TrainingStep } from './training-steps.ts';

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
const { training, reembedding, builds, subPages, ...rest } = createCorpus(db);
const objects = openObjects(config.objects, log);
const renews = (job: TrainingJob) => job.document.training.state === 're-embedding';

/** A body that hangs in its middle. */
async function* halting(body: AsyncIterable<Uint8Array>) {
  for await (const part of body) {
    yield part.subarray(0, part.length / 2);
    await at('the file is half uploaded');
    yield part.subarray(part.length / 2);
  }
}

/** Hangs before the second batch. */
function dyingEmbedders() {
  const { embedders } = countingEmbedders();
  let calls = 0;
  const embedder: Embedder = {
    ...embedders.current!,
    async embed(...args) {
      if (++calls > 1) await at('some vectors are renewed');
      return embedders.current!.embed(...args);
    },
  };
  return { ...embedders, current: embedder, forLanguage: () => embedder, byModel: () => embedder };
}

const trainer = createTrainer(config, {
  objects: {
    ...objects,
    async put(key, body, ...args) {
      const sent = key.endsWith('build.sqlite') ? Readable.from(halting(body as Readable)) : body;
      const stored = await objects.put(key, sent, ...args);
      await at(key.endsWith('build.sqlite') ? 'the file is uploaded' : 'a page is kept');
      return stored;
    },
  },
  ...(REEMBEDDING_STEPS.some((name) => name === step) && { embedders: dyingEmbedders() }),
  corpus: {
    ...rest,
    builds: {
      ...builds,
      setFile: then(builds.setFile, 'the file is recorded'),
      async open(job, model) {
        await builds.open(job, model);
        await at(renews(job) ? 'the copy is open' : 'the build is open');
      },
    },
    subPages: {
      ...subPages,
      recordAll: then(subPages.recordAll, 'a page is done'),
      record: then(subPages.record, 'a page is done'),
    },
    training: {
      ...training,
      claim: async (wanted) => {
        const job = await training.claim(wanted);
        if (job) await at('the job is claimed');
        return job;
      },
      publish: async (...args) => {
        await at('the build is complete');
        return then(training.publish, 'the build is live')(...args);
      },
    },
    reembedding: {
      ...reembedding,
      claim: async (models) => {
        const job = await reembedding.claim(models);
        if (job) await at('the live build is claimed');
        return job;
      },
      publish: async (...args) => {
        await at('the copy is complete');
        return then(reembedding.publish, 'the copy is live')(...args);
      },
    },
  },
});
await trainer.start();
