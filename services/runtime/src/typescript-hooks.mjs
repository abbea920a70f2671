import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/parley-typescript/', import.meta.url));
const OPTIONS = { loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline' };

/** Node's hook for the source of a module: compiles TypeScript, and leaves everything else to Node. */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

/** Compiled once per version of a file, whichever process needs it first. */
async function compiled(path) {
  const typescript = readFileSync(path, 'utf8');
  const name = createHash('sha256')
    .update(JSON.stringify([OPTIONS, path, typescript]))
    .digest('hex');
  const cached = `${CACHE}${name}.js`;
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const { transform } = await import('esbuild'); // seldom needed, and slow to load
    const { code } = await transform(typescript, { ...OPTIONS, sourcefile: path });
    store(cached, code);
    return code;
  }
}

/** Other processes read it at any time, so it appears as a whole. */
function store(cached, code) {
  const partial = `${cached}.${process.pid}.${threadId}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(partial, code);
    renameSync(partial, cached);
  } catch {
    // A folder that can't be written to only costs time.
  }
}
