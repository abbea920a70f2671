import { createHash } from 'node:crypto';
import { deriveId } from '@parley/runtime';
import { Binary } from 'mongodb';
import type { ChunkDoc, LiveBuild } from '../model.ts';
import { keepOrWithdraw } from './builds.ts';
import type { Collections } from './collections.ts';
import type { TrainingJob } from './training.ts';

/** A chunk as a run makes it: (source, index) is unique in its build. */
export type NewChunk = Pick<ChunkDoc, 'source' | 'index' | 'title' | 'url' | 'text' | 'text_hash'> & {
  /** Unit vector of the build's model. */
  vector: Float32Array | null;
};

/** A chunk as it is read. */
export interface StoredChunk {
  id: string;
  title: string;
  url: string;
  text: string;
  vector?: Float32Array;
}

/** A read ended before all chunks of a build had come: it is being deleted, or the cursor was cut short. */
export class IncompleteBuild extends Error {
  override name = 'IncompleteBuild';
}

export type ChunkStore = ReturnType<typeof chunkStore>;

export function chunkStore(c: Collections) {
  return {
    /** Adds chunks to the job's build; the same ones again change nothing. @throws LeaseLost */
    async insert(job: TrainingJob, chunks: readonly NewChunk[]): Promise<void> {
      const { account, item, build } = job;
      const writes = chunks.map(({ vector, ...chunk }) => {
        const _id = deriveId(build, chunk.source, String(chunk.index));
        const replacement = { account, item, build, ...chunk, vector: vector && toBinary(vector) };
        return { replaceOne: { filter: { _id, account }, replacement, upsert: true } };
      });
      if (writes.length > 0) await c.chunks.bulkWrite(writes, { ordered: false });
      await keepOrWithdraw(c, job);
    },

    /** Every chunk of a live build, once. @throws IncompleteBuild at the end, where some have not come. */
    async *read(account: string, live: Pick<LiveBuild, 'build' | 'chunks'>): AsyncGenerator<StoredChunk> {
      let seen = 0;
      const fields = { title: 1, url: 1, text: 1, vector: 1 };
      for await (const chunk of c.chunks.find({ account, build: live.build }, { projection: fields })) {
        const { _id: id, title, url, text, vector } = chunk;
        seen++;
        yield { id, title, url, text, ...(vector && { vector: toVector(vector) }) };
      }
      if (seen !== live.chunks)
        throw new IncompleteBuild(`read ${seen} of the ${live.chunks} chunks of build ${live.build}`);
    },

    /** Vectors that earlier builds of the item have of the same texts, by text_hash. */
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

/** What vectors are recognised by: SHA-256 of what is embedded, in hex. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Float32, little-endian, as every machine we run on has it in memory. */
const toBinary = (vector: Float32Array): Binary =>
  new Binary(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));

/** Copied: floats need an alignment that the reply of the database does not have. */
const toVector = ({ buffer, position }: Binary): Float32Array =>
  new Float32Array(Uint8Array.from(buffer.subarray(0, position)).buffer);
