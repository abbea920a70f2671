import { Worker } from 'node:worker_threads';
import { ConfigError } from '@parley/runtime';
import { ANY, E5, MINILM } from '../search/priors.ts';
import { type Embedder, EmbeddingMisconfigured } from './embedder.ts';
import { type ModelDirectory, readModelDirectory } from './model-directory.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Models that were measured, by their fingerprint. */
const MEASURED: Readonly<Record<string, Pick<Embedder, 'model' | 'prior'>>> = {
  '7120420bf0a5d22d': { model: 'minilm-l6-v2-int8', prior: MINILM },
  '7e20dcc37cc3c91b': { model: 'multilingual-e5-small-q4', prior: E5 },
};

/**
 * A model of sentence-transformers in ONNX, in a worker thread that takes as much memory as the model and about 150 MB.
 *
 * @param setting names the directory in messages.
 * @throws ConfigError if the directory has no model that it can run.
 */
export function createLocalEmbedder({ dir, setting }: { dir: string; setting: string }): Embedder {
  const cannot = (reason: string) =>
    new ConfigError(`The embedding model in ${setting} (${dir}) can't be used: ${reason}.`);
  const directory = readDirectory(dir, cannot);
  const { name, fingerprint, prompts, ...settings } = directory;
  const queue = createWorkerQueue(
    () => new Worker(new URL('./local-worker.ts', import.meta.url), { workerData: settings }),
    (reason) => new EmbeddingMisconfigured(cannot(reason).message),
  );
  return {
    ...(MEASURED[fingerprint] ?? { model: `${name}-${fingerprint}`, prior: ANY }),
    embed: (texts, signal) =>
      queue.run(
        texts.map((text) => prompts.passage + text),
        'batch',
        signal,
      ),
    embedQuery: async (text, signal) => (await queue.run([prompts.query + text], 'query', signal))[0]!,
    close: queue.close,
  };
}

function readDirectory(dir: string, cannot: (reason: string) => ConfigError): ModelDirectory {
  try {
    return readModelDirectory(dir);
  } catch (error) {
    throw cannot((error as Error).message);
  }
}
