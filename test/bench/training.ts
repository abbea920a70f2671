import { localEmbedders, localModelDir, watched } from './local-model.ts';
import { openManual } from './manual.ts';
import { inTurns } from './measure.ts';
import { startSystem, trainWebsite } from './system.ts';
import type { Bench, Table } from './table.ts';

const SIZE = { pages: 200, sections: 3, sentences: 5 };
const ROUNDS = 3;
const BATCH = 32;
const BOUND = 0.8;

/** The time of a training in addition to embedding its chunks. */
export const training: Bench = { name: 'training', run };

async function run(): Promise<Table> {
  const embedders = await localEmbedders();
  const embedder = embedders.current!;
  const texts: string[] = [];
  await using manual = await openManual(SIZE);
  await using parley = await startSystem({
    variables: {
      EMBEDDINGS: 'local',
      EMBEDDING_MODEL_DIR: await localModelDir(),
      CRAWL_ALLOW: '127.0.0.0/8',
      CRAWL_DELAY_MS: '0',
    },
    shared: {
      embedders: watched(embedders, ({ embed }) => ({
        embed(chunks, signal) {
          texts.push(...chunks);
          return embed(chunks, signal);
        },
      })),
    },
  });

  /** Chunks per second. */
  async function trained(): Promise<number> {
    texts.length = 0;
    const began = performance.now();
    // A new item each time, because embeddings of an earlier training are reused.
    await trainWebsite(parley, manual.url);
    return (texts.length / (performance.now() - began)) * 1000;
  }
  async function alone(): Promise<number> {
    const began = performance.now();
    for (let i = 0; i < texts.length; i += BATCH) await embedder.embed(texts.slice(i, i + BATCH));
    return (texts.length / (performance.now() - began)) * 1000;
  }
  await embedder.embed(['The model is loaded at its first use.']);
  const [training, model] = (await inTurns(ROUNDS, [trained, alone])) as [number, number];
  const ratio = training / model;
  return {
    about: `A website of ${SIZE.pages} pages on loopback, ${texts.length} chunks, without a crawl delay: read, extracted, split, embedded by the local model and stored, compared with the model alone on the same chunks. Ratios are to the first row.`,
    head: ['', 'chunks/s', 'ratio'],
    rows: [
      ['the embedding model alone', model.toFixed(1), '1.00'],
      ['the whole training', training.toFixed(1), ratio.toFixed(2)],
    ],
    bound: {
      says: `the throughput must be at least ${BOUND} of the model alone; it is ${ratio.toFixed(2)}.`,
      met: ratio >= BOUND,
    },
  };
}
