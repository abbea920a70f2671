import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEmbedders, type Embedder, type Embedders } from '@parley/corpus';

const PROGRAM = fileURLToPath(new URL('../../deploy/embedded/model.mjs', import.meta.url));

/** The directory of an embedding model of `npm start`, which is fetched if necessary. */
export async function localModelDir(model: 'english' | 'multilingual' = 'english'): Promise<string> {
  const options = model === 'english' ? [] : [model];
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...options], { timeout: 240_000 });
  return stdout.trim().split('\n').at(-1)!;
}

export const localEmbedders = async (): Promise<Embedders> =>
  createEmbedders({ use: 'local', modelDir: await localModelDir() });

/** The same embedders, with each call wrapped in `around`. */
export function watched(embedders: Embedders, around: (embedder: Embedder) => Partial<Embedder>): Embedders {
  const real = embedders.current!;
  const current = { ...real, ...around(real) };
  return {
    ...embedders,
    current,
    forLanguage: () => current,
    byModel: (model) => (model === real.model ? current : undefined),
  };
}
