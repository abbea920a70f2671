import { type ChildProcess, fork } from 'node:child_process';
import { ConfigError } from '@parley/runtime';
import { ANY, E5, MINILM } from '../search/priors.ts';
import { type Embedder, EmbeddingMisconfigured } from './embedder.ts';
import { type ModelDirectory, type ModelSettings, readModelDirectory } from './model-directory.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Models that were measured, by their fingerprint. */
const MEASURED: Readonly<Record<string, Pick<Embedder, 'model' | 'prior'>>> = {
  '7120420bf0a5d22d': { model: 'minilm-l6-v2-int8', prior: MINILM },
  '7e20dcc37cc3c91b': { model: 'multilingual-e5-small-q4', prior: E5 },
};

/**
 * Embeds with a model of sentence-transformers in ONNX, in a process of its own that takes as much memory as the model and about
 * 200 MB, and ends while there is nothing to do.
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
    () => startProcess(settings),
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

/** It gets nothing of the environment, which has secrets. */
function startProcess(settings: Omit<ModelSettings, 'prompts'>): ChildProcess {
  return fork(new URL('./local-process.ts', import.meta.url), [JSON.stringify(settings)], {
    ...{ env: {}, execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  });
}

function readDirectory(dir: string, cannot: (reason: string) => ConfigError): ModelDirectory {
  try {
    return readModelDirectory(dir);
  } catch (error) {
    throw cannot((error as Error).message);
  }
}
