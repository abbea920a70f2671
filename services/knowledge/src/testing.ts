import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createBuildFiles,
  createSearchPool,
  type Embedder,
  embeddingTokens,
  type NewChunk,
  type TrainingJob,
} from '@parley/corpus';
import { chunk, corpusWorld, uploadBuild } from '@parley/corpus/testing';
import { createLog } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { parseAllowList } from '@parley/runtime/outbound';
import { createFetchAhead } from './fetch-ahead.ts';
import { handlers } from './rpc/index.ts';
import { createTranscriptReader } from './sandbox/transcript-reader.ts';

/** The handlers of the service on their own corpus, and a trainer that the test controls. */
export async function knowledgeWorld(
  embedders: Embedder[] = [],
  { diskBytes = 10_000_000, tokensPerDay = Infinity } = {},
) {
  const world = await corpusWorld();
  const { corpus } = world;
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-knowledge-'));
  const objects = createDirectoryStore({ dir });
  await objects.start?.(new AbortController().signal);
  const pool = createSearchPool({ memoryBytes: 10_000_000 });
  const indexDir = path.join(dir, 'index');
  const files = createBuildFiles({ dir: indexDir, maxBytes: diskBytes, objects, dropped: pool.forget });
  await files.start?.(new AbortController().signal);
  const ahead = createFetchAhead({ corpus, files, pool, log: createLog('test', 'silent') });
  const transcripts = createTranscriptReader();
  const dependencies = {
    corpus,
    objects,
    crawlAllow: parseAllowList('127.0.0.1:8080'),
    files,
    pool,
    ahead,
    transcripts,
    tokens: embeddingTokens(world.db, tokensPerDay, createLog('test', 'silent')),
    embedders: {
      name: 'embedders',
      current: embedders[0] ?? null,
      forLanguage: () => embedders[0] ?? null,
      models: embedders.slice(0, 1).map(({ model }) => model),
      byModel: (model: string) => embedders.find((e) => e.model === model),
    },
  };

  /** Does what a training does: reads the items of the FAQ now, and writes a passage for each. Returns what to publish. */
  async function writeFaq(job: TrainingJob, embedder = embedders[0]) {
    await corpus.builds.open(job, embedder?.model ?? null);
    const chunks: NewChunk[] = [];
    for await (const item of corpus.faqItems.all(job.account, job.item)) {
      const [vector = null] = embedder ? await embedder.embed([item.answer]) : [];
      chunks.push({ ...chunk(0, item.answer), source: item._id, title: item.question, vector });
    }
    return uploadBuild(objects, job, chunks, embedder?.model);
  }

  return {
    ...world,
    objects,
    indexDir,
    async close() {
      await pool.close();
      await transcripts.stop?.();
      await world.close();
      await rm(dir, { recursive: true });
    },
    writeFaq,
    async train(account: string, id: string, embedder = embedders[0]) {
      const job = await world.begin(account, id);
      await corpus.training.publish(job, await writeFaq(job, embedder));
      return job;
    },
    dependencies,
    rpc: handlers(dependencies),
  };
}

export type KnowledgeWorld = Awaited<ReturnType<typeof knowledgeWorld>>;

/** A request as it arrives over the wire: unset fields have their defaults. */
export const request = <T extends object>(fields: T) =>
  ({ limit: 0, nextCursor: '', categories: [], context: [], ...fields }) as never;
