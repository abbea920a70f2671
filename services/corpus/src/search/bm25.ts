import { createAnalyzer, languageOf } from '@parley/language';
import { createGrowable } from './growable.ts';

const K1 = 1.2;
const B = 0.75;
const DETECTED_CHARACTERS = 400; // of a document whose language is not known
const TERM_BYTES = 64; // a string's header and its place in a map

/** The documents that contain a term, ascending, with its frequency in each. */
export interface Postings {
  readonly documents: Uint32Array;
  readonly counts: Uint16Array;
}

/** An inverted index of documents numbered from 0. Its statistics add up with those of others: see `statistics`. */
export interface LexicalIndex {
  /** In terms, by document. */
  readonly lengths: Uint32Array;
  readonly totalLength: number;
  readonly bytes: number;
  /** The languages that documents were analyzed in, with the number of documents. */
  readonly languages: ReadonlyMap<string, number>;
  postings(term: string): Postings | undefined;
}

export interface LexicalIndexer {
  /** The next document, in a language (BCP 47) if that is known. */
  add(text: string, language?: string): void;
  /** An estimate of the memory it takes, and that `finish` will take besides. */
  readonly bytes: number;
  finish(): LexicalIndex;
}

/** For a document whose language is not known. */
export const detected = (text: string): string | undefined => languageOf(text.slice(0, DETECTED_CHARACTERS));

export function createLexicalIndexer(): LexicalIndexer {
  const analyze = createAnalyzer();
  const termIds = new Map<string, number>();
  const lengths = createGrowable(Uint32Array);
  // One triple for each term of each document, in document order; `finish` sorts them by term.
  const terms = createGrowable(Uint32Array);
  const documents = createGrowable(Uint32Array);
  const counts = createGrowable(Uint16Array);
  const languages = new Map<string, number>();
  let termBytes = 0;

  function add(text: string, given?: string) {
    const language = analyze.analyzed(given ?? detected(text));
    languages.set(language, (languages.get(language) ?? 0) + 1);
    const found = analyze(text, language);
    const frequencies = new Map<number, number>();
    for (const term of found) {
      let id = termIds.get(term);
      if (id === undefined) {
        id = termIds.size;
        termIds.set(term, id);
        termBytes += TERM_BYTES + term.length;
      }
      frequencies.set(id, (frequencies.get(id) ?? 0) + 1);
    }
    for (const [id, count] of frequencies) {
      terms.push(id);
      documents.push(lengths.length);
      counts.push(Math.min(count, 65_535));
    }
    lengths.push(found.length);
  }

  function finish(): LexicalIndex {
    const starts = startsByTerm(terms.view(), termIds.size);
    const sorted = sortByTerm(terms.view(), documents.view(), counts.view(), starts);
    return { ...lexicalIndex(lengths.view().slice(), termIds, termBytes, starts, sorted), languages };
  }

  return {
    add,
    get bytes() {
      return lengths.bytes + terms.bytes + documents.bytes + counts.bytes + 6 * counts.length + termBytes;
    },
    finish,
  };
}

/** Separate from the indexer, or its working memory would live as long as the index. */
function lexicalIndex(
  lengths: Uint32Array,
  termIds: ReadonlyMap<string, number>,
  termBytes: number,
  starts: Uint32Array,
  { documents, counts }: Postings,
): Omit<LexicalIndex, 'languages'> {
  return {
    lengths,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    bytes: lengths.byteLength + starts.byteLength + documents.byteLength + counts.byteLength + termBytes,
    postings(term) {
      const id = termIds.get(term);
      if (id === undefined) return undefined;
      const [from, to] = [starts[id]!, starts[id + 1]!];
      return { documents: documents.subarray(from, to), counts: counts.subarray(from, to) };
    },
  };
}

/** Where each term's postings begin; one more entry ends the last. */
function startsByTerm(terms: Uint32Array, size: number): Uint32Array {
  const starts = new Uint32Array(size + 1);
  for (const term of terms) starts[term + 1]! += 1;
  for (let term = 0; term < size; term++) starts[term + 1]! += starts[term]!;
  return starts;
}

/** A counting sort: stable, so documents stay ascending within a term. */
function sortByTerm(terms: Uint32Array, documents: Uint32Array, counts: Uint16Array, starts: Uint32Array): Postings {
  const next = starts.slice();
  const sorted = { documents: new Uint32Array(terms.length), counts: new Uint16Array(terms.length) };
  for (let i = 0; i < terms.length; i++) {
    const place = next[terms[i]!]!++;
    sorted.documents[place] = documents[i]!;
    sorted.counts[place] = counts[i]!;
  }
  return sorted;
}

/** BM25 statistics over all searched documents, across indexes. */
export interface Statistics {
  readonly documents: number;
  readonly averageLength: number;
  /** By term of the query; highest for one that no document holds. */
  readonly idf: ReadonlyMap<string, number>;
}

export function statistics(indexes: readonly LexicalIndex[], terms: Iterable<string>): Statistics {
  let documents = 0;
  let totalLength = 0;
  for (const index of indexes) {
    documents += index.lengths.length;
    totalLength += index.totalLength;
  }
  const idf = new Map<string, number>();
  for (const term of terms) {
    let holding = 0;
    for (const index of indexes) holding += index.postings(term)?.documents.length ?? 0;
    idf.set(term, Math.log(1 + (documents - holding + 0.5) / (holding + 0.5)));
  }
  return { documents, averageLength: totalLength / documents || 1, idf };
}

/** The BM25 score of every document; 0 if it contains no term of the query. */
export function lexicalScores(index: LexicalIndex, { averageLength, idf }: Statistics): Float64Array {
  const scores = new Float64Array(index.lengths.length);
  for (const [term, weight] of idf) {
    const postings = index.postings(term);
    if (!postings) continue;
    const { documents, counts } = postings;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i]!;
      const count = counts[i]!;
      const length = 1 - B + (B * index.lengths[document]!) / averageLength;
      scores[document]! += (weight * count * (K1 + 1)) / (count + K1 * length);
    }
  }
  return scores;
}

/** The score that no document can reach: every term of the query, as often as can be. */
export const highestScore = ({ idf }: Statistics): number =>
  [...idf.values()].reduce((sum, weight) => sum + weight * (K1 + 1), 0);
