import type { Piece } from '../split/split.ts';
import type { Chapter } from './chapters.ts';
import type { Said } from './rolling.ts';

/** UTF-16 units, as of other pieces. */
const PIECE = 800;
/** A piece ends with a sentence if it has one after this. */
const SHORTEST = PIECE / 2;
/** A caption is cut only if it is longer than this. */
const LONGEST = 400;
const SENTENCE_END = /[.!?…。！？]["'”’)\]]?$/;

/**
 * Passages of about the length that is embedded, in order. Each has an address that plays the video from the second of its
 * first word, and belongs to one chapter; those of a chapter follow each other as one section.
 *
 * @param url of the video, to which a parameter can be added.
 */
export function passagesOf(said: readonly Said[], chapters: readonly Chapter[], url: string): Piece[] {
  const pieces: Piece[] = [];
  let section = 0;
  let waiting: Said[] = [];
  let length = 0;
  let next = 0;

  function write(count: number) {
    const own = waiting.slice(0, count);
    if (own.length === 0) return;
    waiting = waiting.slice(count);
    const text = own.map((each) => each.text).join(' ');
    length -= text.length + 1;
    const title = chapters[next - 1]?.title;
    pieces.push({
      text,
      headings: title === undefined ? [] : [title],
      section,
      url: `${url}&t=${Math.floor(own[0]!.start / 1_000)}s`,
      ...(pieces.at(-1)?.section === section && { joint: { repeated: 0, separator: ' ' } }),
    });
  }

  for (const part of partsOf(said)) {
    if (next < chapters.length && part.start >= chapters[next]!.start * 1_000) {
      write(waiting.length);
      if (pieces.length > 0) section++;
      while (next < chapters.length && part.start >= chapters[next]!.start * 1_000) next++;
    }
    if (length + part.text.length > PIECE) write(lastSentence(waiting));
    if (length + part.text.length > PIECE) write(waiting.length);
    waiting.push(part);
    length += part.text.length + 1;
  }
  write(waiting.length);
  return pieces;
}

/** How many captions there are until the last sentence ends; all of them, if that is too few. */
function lastSentence(said: readonly Said[]): number {
  let best = said.length;
  let length = 0;
  for (const [i, { text }] of said.entries()) {
    length += text.length + 1;
    if (length >= SHORTEST && SENTENCE_END.test(text.slice(-3))) best = i + 1;
  }
  return best;
}

/** Captions, in parts if they are too long. */
function* partsOf(said: readonly Said[]): Generator<Said> {
  for (const { start, text } of said)
    for (let from = 0; from < text.length; ) {
      const rest = text.slice(from, from + LONGEST + 1);
      const space = rest.length > LONGEST ? rest.lastIndexOf(' ') : rest.length;
      // Not between the halves of a surrogate pair.
      const hard = /[\uD800-\uDBFF]/.test(rest[LONGEST - 1] ?? '') ? LONGEST - 1 : LONGEST;
      const part = rest.slice(0, space > 0 ? space : hard);
      yield { start, text: part };
      from += part.length;
      while (text[from] === ' ') from++;
    }
}
