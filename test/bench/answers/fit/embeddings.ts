import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '@parley/corpus';

/** Vectors of an embedder, kept on disk: to embed all the texts takes minutes, and they do not change. */
export interface KeptEmbeddings {
  passages(texts: readonly string[]): Promise<Float32Array[]>;
  queries(texts: readonly string[]): Promise<Float32Array[]>;
}

/** Texts embedded and written at once: what an interrupted run has done is kept. */
const BATCH = 32;

export async function keptEmbeddings(embedder: Embedder): Promise<KeptEmbeddings> {
  const directory = join(process.env['PARLEY_CACHE'] || join(homedir(), '.cache', 'parley'), 'fit');
  const file = join(directory, `${embedder.model}.jsonl`);
  await mkdir(directory, { recursive: true });
  const known = new Map<string, Float32Array>();
  for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) {
    const [key, vector] = line.split(' ');
    if (key && vector) known.set(key, decoded(vector));
  }

  async function vectorsOf(kind: string, texts: readonly string[], embed: (some: string[]) => Promise<Float32Array[]>) {
    const keys = texts.map((text) => createHash('sha256').update(`${kind}\n${text}`).digest('base64url').slice(0, 24));
    const missing = new Map(keys.map((key, i) => [key, texts[i]!] as const).filter(([key]) => !known.has(key)));
    const entries = [...missing];
    for (let from = 0; from < entries.length; from += BATCH) {
      const some = entries.slice(from, from + BATCH);
      const vectors = await embed(some.map(([, text]) => text));
      some.forEach(([key], i) => {
        known.set(key, vectors[i]!);
      });
      await appendFile(file, some.map(([key], i) => `${key} ${encoded(vectors[i]!)}\n`).join(''));
    }
    return keys.map((key) => known.get(key)!);
  }

  return {
    passages: (texts) => vectorsOf('passage', texts, (some) => embedder.embed(some)),
    queries: (texts) =>
      vectorsOf('query', texts, async (some) => {
        const vectors: Float32Array[] = [];
        for (const text of some) vectors.push(await embedder.embedQuery(text));
        return vectors;
      }),
  };
}

const encoded = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

function decoded(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
