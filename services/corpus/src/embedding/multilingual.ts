import { Worker } from 'node:worker_threads';
import { E5 } from '../search/priors.ts';
import { type Embedder, EmbeddingMisconfigured } from './embedder.ts';
import { createWorkerQueue } from './worker-queue.ts';

/**
 * multilingual-e5-small, 4-bit, 384 dimensions, about 100 languages, in a worker thread of about 300 MB. `dir` holds
 * e5-small-q4.bin. It reads the first 512 tokens of a text. A query and a passage get the prefixes it was trained with.
 */
export function createMultilingualEmbedder({ dir }: { dir: string }): Embedder {
  const queue = createWorkerQueue(
    () => new Worker(new URL('./e5/worker.ts', import.meta.url), { workerData: { dir } }),
    (reason) =>
      new EmbeddingMisconfigured(
        `The embedding model in EMBEDDING_MULTILINGUAL_DIR (${dir}) can't be loaded: ${reason}.`,
      ),
  );
  return {
    model: 'multilingual-e5-small-q4',
    weight: 0.8, // MiniLM's, not tuned
    prior: E5,
    embed: (texts, signal) =>
      queue.run(
        texts.map((text) => `passage: ${text}`),
        'batch',
        signal,
      ),
    embedQuery: async (text, signal) => (await queue.run([`query: ${text}`], 'query', signal))[0]!,
    close: queue.close,
  };
}
