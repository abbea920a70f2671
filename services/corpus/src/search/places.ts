import type { StoredChunk } from '../store/chunks.ts';

type Chunk = Readonly<Omit<StoredChunk, 'vector'>>;

/** Where the chunks of a build stand: which belong to one page or FAQ item. */
export interface Places {
  /** The next chunk, to keep: it shares its source and headings with others. */
  add(chunk: Chunk): Chunk;
  /** Characters of what is shared, each counted once. */
  readonly characters: number;
  chunksOf(source: string): readonly number[];
}

/** A section's chunks repeat its headings, and most pages the first of them; in memory each stands once. */
export function createPlaces(): Places {
  const bySource = new Map<string, { source: string; chunks: number[] }>();
  const shared = new Map<string, readonly string[]>();
  let characters = 0;
  let chunks = 0;

  function headingsOf(headings: readonly string[]): readonly string[] {
    const key = headings.join('\n');
    const known = shared.get(key);
    if (known) return known;
    shared.set(key, headings);
    characters += 2 * key.length;
    return headings;
  }

  return {
    add(chunk) {
      const place = bySource.get(chunk.source) ?? { source: chunk.source, chunks: [] };
      if (place.chunks.length === 0) {
        bySource.set(chunk.source, place);
        characters += chunk.source.length;
      }
      place.chunks.push(chunks++);
      const { headings } = chunk;
      return { ...chunk, source: place.source, ...(headings && { headings: headingsOf(headings) as string[] }) };
    },
    get characters() {
      return characters;
    },
    chunksOf: (source) => bySource.get(source)?.chunks ?? [],
  };
}
