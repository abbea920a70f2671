import { joinChunks } from '../join-chunks.ts';
import type { BuildIndex, IndexedChunk } from './build-index.ts';

/** Characters of a section that a passage comes with; of an FAQ item, enough for any answer. */
const MAX_SECTION = 4_000;
const MAX_ANSWER = 20_000;

const HEADINGS = /^(?:[ \t]*#{1,6} [^\n]*(?:\n|$)\s*)+/;

/** A chunk without the headings above it. */
export interface Standing {
  readonly headings: readonly string[];
  readonly text: string;
}

/** Chunks of an earlier version begin with their headings. */
export function standing({ headings, text }: Pick<IndexedChunk, 'headings' | 'text'>): Standing {
  if (headings) return { headings, text };
  const above = HEADINGS.exec(text)?.[0] ?? '';
  const rest = text.slice(above.length);
  if (above === '' || rest.trim() === '') return { headings: [], text };
  const lines = above.split('\n').map((line) => line.replace(/^[ \t]*#+ /, '').trim());
  return { headings: lines.filter(Boolean), text: rest };
}

/** The section around a chunk, joined from the chunks of its section, or of its FAQ item. */
export function sectionOf(index: BuildIndex, document: number, isFaq: boolean): string {
  const chunk = index.chunks[document]!;
  if (chunk.section === undefined && !isFaq) return standing(chunk).text;
  const whole = index
    .chunksOf(chunk.source)
    .filter((other) => isFaq || index.chunks[other]!.section === chunk.section)
    .sort((a, b) => index.chunks[a]!.index - index.chunks[b]!.index);
  return joinChunks(around(whole, document, index, isFaq ? MAX_ANSWER : MAX_SECTION));
}

/** The chunk, then its neighbours in turn, as long as all together are short enough. */
function around(whole: readonly number[], document: number, index: BuildIndex, limit: number): IndexedChunk[] {
  const chunks = whole.map((each) => index.chunks[each]!);
  let from = whole.indexOf(document);
  let to = from + 1;
  let length = chunks[from]!.text.length;
  const fits = (next: IndexedChunk | undefined) => {
    if (!next || length + next.text.length > limit) return false;
    length += next.text.length + 2;
    return true;
  };
  for (let grew = true; grew; ) {
    const after = fits(chunks[to]);
    if (after) to += 1;
    const before = fits(chunks[from - 1]);
    if (before) from -= 1;
    grew = after || before;
  }
  return chunks.slice(from, to);
}
