import { primaryTag } from './detect.ts';

/** Characters segmented at a time. */
const WINDOW = 1_024;
/** Characters that a segmenter may look ahead to decide whether a segment ends. */
const AHEAD = 128;

export interface Segment {
  from: number;
  text: string;
  /** Of segments of words: whether it is a word, rather than a space or a punctuation mark. */
  isWord: boolean;
}

const DEFAULT_LANGUAGE = 'en';
/** Segmenters kept; further languages are segmented as English, from which few differ. */
const MAX_SEGMENTERS = 64;
const SEGMENTERS = new Map<string, Intl.Segmenter>();

/** The number of a list or a lone letter with a full stop, as in "z. B." or "J. Doe", which Unicode takes for an end. */
const NO_END = /^\p{N}{1,3}\.$|(?<![\p{L}\p{M}\p{N}])\p{L}\.$/u;
const LONGEST_NO_END = 5;

/** The sentences of a text, each with the white space after it; a line break ends a sentence. */
export function sentencesOf(text: string, language?: string): Segment[] {
  const sentences: Segment[] = [];
  let unfinished = false;
  for (const segment of segmentsOf(segmenterOf('sentence', language), text)) {
    const last = sentences.at(-1);
    if (last && unfinished) last.text += segment.text;
    else sentences.push({ ...segment });
    const end = segment.text.trimEnd();
    const tail = end.slice(-LONGEST_NO_END);
    unfinished = !segment.text.includes('\n') && NO_END.test(tail) && (end === tail || !/^\p{N}/u.test(tail));
  }
  return sentences;
}

/** The words of a text, as written. */
export function wordsOf(text: string, language?: string): string[] {
  return segmentsOf(segmenterOf('word', language), text).flatMap((segment) => (segment.isWord ? [segment.text] : []));
}

export function segmenterOf(granularity: 'sentence' | 'word', given?: string): Intl.Segmenter {
  const key = (language: string) => `${granularity} ${language}`;
  const asked = primaryTag(given) ?? DEFAULT_LANGUAGE;
  const language = SEGMENTERS.has(key(asked)) || SEGMENTERS.size < MAX_SEGMENTERS ? asked : DEFAULT_LANGUAGE;
  const segmenter = SEGMENTERS.get(key(language)) ?? new Intl.Segmenter(language, { granularity });
  SEGMENTERS.set(key(language), segmenter);
  return segmenter;
}

/**
 * The words or sentences of a text with what stands between them. Time is linear in the length of the text: V8 stores a
 * copy of the whole input with each segment, so a long text is segmented window by window.
 */
export function segmentsOf(segmenter: Intl.Segmenter, text: string): Segment[] {
  const segments: Segment[] = [];
  let size = WINDOW;
  for (let from = 0; from < text.length; ) {
    const window = text.slice(from, from + size);
    const end = from + window.length === text.length ? window.length : window.length - AHEAD;
    const start = from;
    for (const { segment, index, isWordLike = false } of segmenter.segment(window)) {
      if (index + segment.length > end) break;
      segments.push({ from: start + index, text: segment, isWord: isWordLike });
      from = start + index + segment.length;
      // A larger window is for one long segment: with many short ones it would be copied for each.
      if (size > WINDOW) break;
    }
    size = from === start ? size * 2 : WINDOW;
  }
  return segments;
}
