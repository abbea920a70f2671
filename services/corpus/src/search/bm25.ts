import { createAnalyzer } from './analyze.ts';
import { createGrowable } from './growable.ts';

const K1 = 1.2;
const B = 0.75;
const TERM_BYTES = 64; // a string's header and its place in a map

/** The documents that hold a term, ascending, and how often each does. */
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
  postings(term: string): Postings | undefined;
}

export interface LexicalIndexer {
  /** The next document. */
  add(text: string): void;
  finish(): LexicalIndex;
}

export function createLexicalIndexer(): LexicalIndexer {
  const analyze = createAnalyzer();
  const termIds = new Map<string, number>();
  const lengths = createGrowable(Uint32Array);
  // One triple for each term of each document: an inverted index in the wrong order, put right by `finish`.
  const terms = createGrowable(Uint32Array);
  const documents = createGrowable(Uint32Array);
  const counts = createGrowable(Uint16Array);

  function add(text: string) {
    const found = analyze(text);
    const frequencies = new Map<number, number>();
    for (const term of found) {
      const id = termIds.get(term) ?? termIds.size;
      termIds.set(term, id);
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
    return lexicalIndex(lengths.view().slice(), termIds, starts, sorted);
  }

  return { add, finish };
}

/** Apart from the indexer, or its working memory would live as long as the index. */
function lexicalIndex(
  lengths: Uint32Array,
  termIds: ReadonlyMap<string, number>,
  starts: Uint32Array,
  { documents, counts }: Postings,
): LexicalIndex {
  let termBytes = 0;
  for (const term of termIds.keys()) termBytes += TERM_BYTES + term.length;
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

/** What BM25 knows of all documents that a query is asked of, however many indexes hold them. */
export interface Statistics {
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
  return { averageLength: totalLength / documents || 1, idf };
}

/** The BM25 score of every document; 0 where it holds no term of the query. */
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

/** The share of the query's terms that a document holds, weighted by idf, 0 to 1; 0 for a query without terms. */
export function coverage(index: LexicalIndex, document: number, { idf }: Statistics): number {
  let held = 0;
  let all = 0;
  for (const [term, weight] of idf) {
    all += weight;
    const postings = index.postings(term);
    if (postings && includes(postings.documents, document)) held += weight;
  }
  return all > 0 ? held / all : 0;
}

function includes(ascending: Uint32Array, wanted: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === wanted;
}
