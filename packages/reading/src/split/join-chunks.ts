import type { Piece } from './split.ts';

/** Between two blocks of a text. */
const BLANK_LINE = '\n\n';

/**
 * The text that consecutive chunks of one section were cut from. Starts with the whole text of the first one, so that it
 * can be read on its own even if it is not the first of its section.
 */
export function joinChunks(chunks: readonly Pick<Piece, 'text' | 'joint'>[]): string {
  return chunks
    .map(({ text, joint }, i) => (i === 0 ? text : (joint?.separator ?? BLANK_LINE) + text.slice(joint?.repeated ?? 0)))
    .join('');
}
