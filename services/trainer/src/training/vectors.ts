import { type Embedder, type EmbeddingUsage, textHash } from '@parley/corpus';
import { estimateTokens } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { FormerBuilds } from './former-builds.ts';

/** Vectors in memory, of 1.5 to 6 KB each: more than the steps that run ahead of each other have. */
const RECENT = 500;

export type Vectors = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/**
 * The vectors of texts: they come from earlier builds of the item with the same model, from what this run has embedded
 * last, or from a step that is embedding the text right now. Adds what it does to `usage`.
 */
export function createVectors(
  former: Pick<FormerBuilds, 'vectors'>,
  embedder: Embedder,
  usage: EmbeddingUsage,
): Vectors {
  const recent = new LRUCache<string, Promise<Float32Array>>({ max: RECENT });

  function embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array>[] {
    if (texts.length === 0) return [];
    usage.calls++;
    usage.embedded += texts.length;
    for (const text of texts) usage.tokens += estimateTokens(text);
    const made = embedder.embed(texts, signal);
    return texts.map((text, i) => {
      const vector = made.then((vectors) => vectors[i]!);
      vector.catch(() => {}); // Prevents an unhandled rejection if another one is reported first.
      recent.set(textHash(text), vector);
      return vector;
    });
  }

  return async (texts, signal) => {
    const found = new Map<string, Promise<Float32Array> | Float32Array>();
    const textOf = new Map(texts.map((text) => [textHash(text), text]));
    const findRecent = () => {
      for (const hash of textOf.keys()) if (recent.has(hash)) found.set(hash, recent.get(hash)!);
    };
    const unseen = () => [...textOf.keys()].filter((hash) => !found.has(hash));
    findRecent();
    for (const [hash, vector] of await former.vectors(embedder.model, unseen())) found.set(hash, vector);
    // Another step may have begun with some of them meanwhile.
    findRecent();
    const missing = unseen();
    usage.reused += texts.length - missing.length;
    const made = embed(
      missing.map((hash) => textOf.get(hash)!),
      signal,
    );
    missing.forEach((hash, i) => {
      found.set(hash, made[i]!);
    });
    return Promise.all(texts.map((text) => found.get(textHash(text))!));
  };
}
