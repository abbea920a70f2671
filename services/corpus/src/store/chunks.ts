import { createHash } from 'node:crypto';
import { keepLatest } from '@parley/runtime';
import { deriveId } from '@parley/runtime/rpc';
import { Binary } from 'mongodb';
import type { ChunkDoc, ChunkOrigin } from '../chunk.ts';
import type { LiveBuild } from '../model.ts';
import { keepOrWithdraw } from './builds.ts';
import type { Collections } from './collections.ts';
import type { TrainingJob } from './queue.ts';

/** A chunk to store: (source, index) is unique in its build. */
export type NewChunk = Omit<ChunkDoc, '_id' | 'account' | 'item' | 'build' | 'vector'> & {
  /** Unit vector of the build's model. */
  vector: Float32Array | null;
};

/** What search reads of a chunk, besides its id and vector. */
const READ = ['source', 'index', 'title', 'url', 'text', 'headings', 'section', 'joint', 'language'] as const;
const PROJECTION = Object.fromEntries([...READ, 'vector'].map((field) => [field, 1]));

/** A chunk as search reads it. */
export interface StoredChunk extends Pick<ChunkDoc, (typeof READ)[number]> {
  id: string;
  vector?: Float32Array;
}

type Projected = Pick<ChunkDoc, (typeof READ)[number] | '_id' | 'vector'>;

/** A read returned fewer chunks than the build has: it is being deleted, or the cursor was cut short. */
export class IncompleteBuild extends Error {
  override name = 'IncompleteBuild';
}

/** Models whose dimensions are cached. */
const MAX_MODELS = 100;

export type ChunkStore = ReturnType<typeof chunkStore>;

export function chunkStore(c: Collections) {
  const dimensions = new Map<string, number>();

  return {
    /** Adds chunks to the job's build. Idempotent. @throws LeaseLost */
    async insert(job: TrainingJob, chunks: readonly NewChunk[]): Promise<void> {
      const { account, item, build } = job;
      const writes = chunks.map(({ vector, ...chunk }) => {
        const _id = chunkId(build, chunk.source, chunk.index);
        const replacement = { account, item, build, ...chunk, vector: vector && toBinary(vector) };
        return { replaceOne: { filter: { _id, account }, replacement, upsert: true } };
      });
      if (writes.length > 0) await c.chunks.bulkWrite(writes, { ordered: false });
      await keepOrWithdraw(c, job);
    },

    /** Every chunk of a live build, once. @throws IncompleteBuild at the end if some are missing. */
    async *read(account: string, live: Pick<LiveBuild, 'build' | 'chunks'>): AsyncGenerator<StoredChunk> {
      let seen = 0;
      const found = c.chunks.find({ account, build: live.build });
      for await (const { _id: id, vector, ...chunk } of found.project<Projected>(PROJECTION)) {
        seen++;
        yield { id, ...chunk, ...(vector && { vector: toVector(vector) }) };
      }
      if (seen !== live.chunks)
        throw new IncompleteBuild(`read ${seen} of the ${live.chunks} chunks of build ${live.build}`);
    },

    /** Chunks in a build; reads none of them. */
    count: (account: string, build: string): Promise<number> => c.chunks.countDocuments({ account, build }),

    /** What the given sources of a build were made from, by source; those without chunks or a complete origin are absent. */
    async origins(account: string, build: string, sources: readonly string[]): Promise<Map<string, ChunkOrigin>> {
      const _id = { $in: sources.map((source) => chunkId(build, source, 0)) };
      const first = c.chunks.find({ _id, account, build }, { projection: { source: 1, origin: 1 } });
      const origins = new Map<string, ChunkOrigin>();
      for await (const { source, origin } of first) if (origin) origins.set(source, origin);
      return origins;
    },

    /** The first `kept` chunks of the given sources of a build. @throws IncompleteBuild */
    async of(
      account: string,
      build: string,
      sources: readonly { source: string; origin: ChunkOrigin; kept: number }[],
    ): Promise<NewChunk[]> {
      const ids = sources.flatMap(({ source, kept }) =>
        Array.from({ length: kept }, (_, index) => chunkId(build, source, index)),
      );
      const found = await c.chunks.find({ _id: { $in: ids }, account, build }).toArray();
      if (found.length !== ids.length)
        throw new IncompleteBuild(`read ${found.length} of ${ids.length} chunks of build ${build}`);
      const partial = new Set(sources.flatMap(({ source, origin, kept }) => (kept < origin.chunks ? [source] : [])));
      return found.map(copyOf).map(({ origin, ...chunk }) => ({
        ...chunk,
        ...(origin && !partial.has(chunk.source) && { origin }),
      }));
    },

    /** Every chunk of a build as it is stored, in batches: what is embedded again by another model. */
    async *batches(account: string, build: string, size: number): AsyncGenerator<NewChunk[]> {
      let batch: NewChunk[] = [];
      for await (const chunk of c.chunks.find({ account, build }, { batchSize: size })) {
        batch.push(copyOf(chunk));
        if (batch.length < size) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },

    /** The dimension of a model's vectors, read from one in the build; 0 if it has none. */
    async dimension(account: string, build: string, model: string): Promise<number> {
      const known = dimensions.get(model);
      if (known !== undefined) return known;
      const sample = await c.chunks.findOne({ account, build, vector: { $ne: null } }, { projection: { vector: 1 } });
      if (!sample?.vector) return 0;
      const { length } = toVector(sample.vector);
      keepLatest(dimensions, model, length, MAX_MODELS);
      return length;
    },

    /** Vectors of the same texts in earlier builds of the item, by text_hash. */
    async knownVectors(job: TrainingJob, model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>> {
      const { account, item } = job;
      const builds = await c.builds.find({ account, item, model }, { projection: { _id: 1 } }).toArray();
      const known = new Map<string, Float32Array>();
      const same = { account, build: { $in: builds.map(({ _id }) => _id) }, text_hash: { $in: [...hashes] } };
      for await (const { text_hash, vector } of c.chunks.find(same, { projection: { text_hash: 1, vector: 1 } }))
        if (vector) known.set(text_hash, toVector(vector));
      return known;
    },
  };
}

const chunkId = (build: string, source: string, index: number): string => deriveId(build, source, String(index));

/** SHA-256 of an embedded text, in hex: identifies its vector. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');

const copyOf = ({ _id, account, item, build, vector, ...chunk }: ChunkDoc): NewChunk => ({
  ...chunk,
  vector: vector && toVector(vector),
});

/** Float32, little-endian, which is the memory layout on every supported machine. */
const toBinary = (vector: Float32Array): Binary =>
  new Binary(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));

/** Copies: floats need an alignment that the database's reply lacks. */
const toVector = ({ buffer, position }: Binary): Float32Array =>
  new Float32Array(Uint8Array.from(buffer.subarray(0, position)).buffer);
