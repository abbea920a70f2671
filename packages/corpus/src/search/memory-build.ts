import { type OpenBuild, readBuild } from '../build/open-build.ts';
import { createBuildWriter } from '../build/write-build.ts';
import type { Passage } from '../chunk.ts';

/** A passage with the unit vector of its build's model, if it has one. */
export interface IndexedChunk extends Readonly<Passage> {
  readonly id: string;
  readonly vector?: Float32Array;
}

/** A build in memory: a few passages that are searched and forgotten. Without a model the vectors are left out. */
export function memoryBuild(chunks: readonly IndexedChunk[], model?: string): OpenBuild {
  const writer = createBuildWriter(':memory:');
  writer.add(
    chunks.map(({ id: _, vector, ...chunk }) => ({
      ...chunk,
      text_hash: '',
      vector: model === undefined ? null : (vector ?? null),
    })),
  );
  writer.finish({ model });
  return readBuild(writer.db);
}
