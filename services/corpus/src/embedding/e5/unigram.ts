import type { Vocabulary } from './packed-file.ts';

const SPACE = '▁'; // SentencePiece's mark for the beginning of a word
const UNKNOWN_PENALTY = 10; // below the least likely piece

/** Text to the ids of its pieces, without those that mark its ends. */
export type Tokenize = (text: string) => number[];

/**
 * The tokenizer of XLM-RoBERTa: replaces characters by a table, then splits into the most likely pieces (Viterbi). Time is
 * linear in the text: a piece has a bounded length.
 */
export function createUnigramTokenizer(vocabulary: Vocabulary): Tokenize {
  const { scores, unknown } = vocabulary;
  const { ids, longest } = indexPieces(vocabulary);
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;

  return (text) => {
    const characters = [...normalise(text, vocabulary.replacements)];
    const length = characters.length;
    const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    const piece = new Int32Array(length + 1);
    const from = new Int32Array(length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, id: number, score: number) => {
      if (score <= best[end]!) return;
      best[end] = score;
      piece[end] = id;
      from[end] = start;
    };
    for (let start = 0; start < length; start++) {
      let candidate = '';
      for (let end = start + 1; end <= Math.min(length, start + longest); end++) {
        candidate += characters[end - 1];
        const id = ids.get(candidate);
        if (id !== undefined) offer(start, end, id, best[start]! + scores[id]!);
      }
      offer(start, start + 1, unknown, best[start]! + unknownScore);
    }
    return backwards(piece, from);
  };
}

function backwards(piece: Int32Array, from: Int32Array): number[] {
  const found: number[] = [];
  for (let end = piece.length - 1; end > 0; end = from[end]!) found.push(piece[end]!);
  return found.reverse();
}

function normalise(text: string, replacements: ReadonlyMap<number, string>): string {
  let replaced = '';
  for (const character of text) replaced += replacements.get(character.codePointAt(0)!) ?? character;
  const spaced = replaced.replace(/ {2,}/g, ' ');
  return (spaced.startsWith(' ') ? spaced : ` ${spaced}`).replaceAll(' ', SPACE);
}

/** Ids by piece, and the length of the longest one in characters. */
function indexPieces({ offsets, text, unknown }: Vocabulary): { ids: Map<string, number>; longest: number } {
  const decoder = new TextDecoder();
  const ids = new Map<string, number>();
  let longest = 1;
  for (let id = 0; id + 1 < offsets.length; id++) {
    if (id === unknown || offsets[id] === offsets[id + 1]) continue;
    const piece = decoder.decode(text.subarray(offsets[id], offsets[id + 1]));
    if (!ids.has(piece)) ids.set(piece, id);
    longest = Math.max(longest, piece.length);
  }
  return { ids, longest };
}
