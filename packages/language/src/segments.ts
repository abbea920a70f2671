/** Characters segmented at a time. */
const WINDOW = 1_024;
/** Characters that a segmenter may look ahead to decide whether a segment ends. */
const AHEAD = 128;

export interface Segment {
  from: number;
  text: string;
  /** Set if it is a word, rather than a space or a punctuation mark. */
  isWord: boolean;
}

/** Dictionaries go by script, whatever the language. */
export const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

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
