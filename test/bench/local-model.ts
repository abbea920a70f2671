import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEmbedders, type Embedder, type Embedders } from '@parley/corpus';

const PROGRAM = fileURLToPath(new URL('../../deploy/embedded/model.mjs', import.meta.url));

/** The embedding model of `npm start`, fetched where it is missing. */
export async function localEmbedders(): Promise<Embedders> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 240_000 });
  return createEmbedders({ use: 'local', modelDir: stdout.trim().split('\n').at(-1) });
}

/** The same embedders, each call of which goes through `around`. */
export function watched(embedders: Embedders, around: (embedder: Embedder) => Partial<Embedder>): Embedders {
  const real = embedders.current!;
  const current = { ...real, ...around(real) };
  return { ...embedders, current, byModel: (model) => (model === real.model ? current : undefined) };
}
