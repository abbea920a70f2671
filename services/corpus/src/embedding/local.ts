import { Worker } from 'node:worker_threads';
import { MINILM } from '../search/priors.ts';
import { type Embedder, EmbeddingMisconfigured } from './embedder.ts';
import { createWorkerQueue } from './worker-queue.ts';

/**
 * all-MiniLM-L6-v2, int8, 384 dimensions, in a worker thread of about 250 MB. `dir` holds model.onnx and
 * tokenizer.json. It reads English, and the first 256 tokens of a text (about 190 words).
 */
export function createLocalEmbedder({ dir }: { dir: string }): Embedder {
  const queue = createWorkerQueue(
    () => new Worker(new URL('./local-worker.ts', import.meta.url), { workerData: { dir } }),
    (reason) =>
      new EmbeddingMisconfigured(`The embedding model in EMBEDDING_MODEL_DIR (${dir}) can't be loaded: ${reason}.`),
  );
  return {
    model: 'minilm-l6-v2-int8',
    weight: 0.7, // best for the first passage: 67 questions about three manuals, and likewise 132 about four others, 339 of FAQs
    prior: MINILM,
    embed: (texts, signal) => queue.run(texts, 'batch', signal),
    embedQuery: async (text, signal) => (await queue.run([text], 'query', signal))[0]!,
    close: queue.close,
  };
}
