import type { NewChunk } from '@parley/corpus';

/** The searched corpus: made up, the same in every run. */
export interface Size {
  readonly passages: number;
  /** Builds that they are spread over. */
  readonly items: number;
  readonly dimension: number;
  readonly questions: number;
}

export interface AskedQuestion {
  readonly text: string;
  readonly vector: Float32Array;
}

const VOCABULARY = 60_000;
const WORDS_IN_PASSAGE = 80;
const WORDS_ASKED = 6;
/** Subjects, around which the vectors of passages lie as those of texts do. */
const SUBJECTS = 500;
const SPREAD = 0.8;

/** Numbers from 0 to 1 that depend on nothing but the seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A word by its rank, as often as Zipf's law has it. */
const wordOf = (random: () => number) => `w${Math.floor(VOCABULARY ** random()).toString(36)}x`;

function near(center: Float32Array, random: () => number, spread: number): Float32Array {
  const noise = Math.sqrt(3 / center.length) * spread;
  const moved = center.map((value) => value + (2 * random() - 1) * noise);
  const norm = Math.hypot(...moved);
  return moved.map((value) => value / norm);
}

/** The vector and the words of a passage. */
function passageOf(at: number, dimension: number) {
  const random = randomOf(at + 1_000_000);
  const subject = randomOf(Math.floor(random() * SUBJECTS));
  const center = near(new Float32Array(dimension), subject, 1);
  const words = Array.from({ length: WORDS_IN_PASSAGE }, () => wordOf(random));
  return { vector: near(center, random, SPREAD), words, random };
}

/** The passages of one item. */
export function* chunksOf(item: number, { passages, items, dimension }: Size): Generator<NewChunk> {
  for (let at = item; at < passages; at += items) {
    const { vector, words } = passageOf(at, dimension);
    const place = { source: `page ${at}`, index: 0, title: `Page ${at}`, url: `https://example.com/${at}` };
    yield { ...place, text: words.join(' '), language: 'en', text_hash: `${at}`, vector };
  }
}

/** Each is about a passage: some of its words, common and rare, and a vector near its own. */
export function questionsOf({ passages, dimension, questions }: Size): AskedQuestion[] {
  return Array.from({ length: questions }, (_, i) => {
    const { vector, words, random } = passageOf(Math.floor((i * passages) / questions), dimension);
    return { text: words.slice(0, WORDS_ASKED).join(' '), vector: near(vector, random, SPREAD) };
  });
}
