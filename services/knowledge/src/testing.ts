import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBuildCache, type Embedder, type TrainingJob } from '@parley/corpus';
import { chunk, corpusWorld } from '@parley/corpus/testing';
import { createDirectoryStore } from '@parley/runtime/objects';
import { parseAllowList } from '@parley/runtime/outbound';
import { handlers } from './rpc/index.ts';

/** The handlers of the service on their own corpus, and a trainer that the test controls. */
export async function knowledgeWorld(embedders: Embedder[] = [], { searchMemoryBytes = 10_000_000 } = {}) {
  const world = await corpusWorld();
  const { corpus } = world;
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-knowledge-'));
  const objects = createDirectoryStore({ dir });
  await objects.start?.(new AbortController().signal);
  const parts = {
    corpus,
    objects,
    crawlAllow: parseAllowList('127.0.0.1:8080'),
    cache: createBuildCache({ keepBytes: 1_000_000, maxBytes: searchMemoryBytes }),
    embedders: {
      name: 'embedders',
      current: embedders[0] ?? null,
      forLanguage: () => embedders[0] ?? null,
      models: embedders.slice(0, 1).map(({ model }) => model),
      byModel: (model: string) => embedders.find((e) => e.model === model),
    },
  };

  /** Does what a training does: reads the items of the FAQ now, and writes a chunk for each. */
  async function writeFaq(job: TrainingJob, embedder = embedders[0]) {
    await corpus.builds.open(job, embedder?.model ?? null);
    let index = 0;
    for await (const item of corpus.faqItems.all(job.account, job.item)) {
      const [vector = null] = embedder ? await embedder.embed([item.answer]) : [];
      const made = { ...chunk(index++, item.answer), source: item._id, title: item.question, vector };
      await corpus.chunks.insert(job, [made]);
    }
  }

  return {
    ...world,
    objects,
    async close() {
      await world.close();
      await rm(dir, { recursive: true });
    },
    writeFaq,
    async train(account: string, id: string, embedder = embedders[0]) {
      const job = await world.begin(account, id);
      await writeFaq(job, embedder);
      await corpus.training.publish(job, embedder?.model ?? null);
      return job;
    },
    rpc: handlers(parts),
  };
}

export type KnowledgeWorld = Awaited<ReturnType<typeof knowledgeWorld>>;

/** A request as it arrives over the wire: unset fields have their defaults. */
export const request = <T extends object>(fields: T) =>
  ({ limit: 0, nextCursor: '', categories: [], context: [], ...fields }) as never;
