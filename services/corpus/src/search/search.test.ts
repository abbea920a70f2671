import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CALIBRATION, type Calibration } from '../model.ts';
import { createLexicalIndexer, highestScore, lexicalScores, statistics } from './bm25.ts';
import { createBuildIndex, type IndexedChunk } from './build-index.ts';
import { type Hit, toHit } from './hits.ts';
import type { Prior } from './priors.ts';
import { type QueryVectors, type SearchedBuild, searchByWords } from './search.ts';

const WORDS = ['apple', 'river', 'stone', 'cloud', 'paper'];
const WEIGHT = 0.8;
/** Of a model by which the cosine itself is the share of similarity in the score. */
const prior: Prior = {
  ...{ far: 0, near: 0.5, strength: 0 },
  about: { similarity: 3, coverage: 3, constant: -3 },
  weights: { similarity: 0.2, lead: 3, words: 2, coverage: 0.5, constant: -3 },
};
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((chosen) => chosen.join(' '));
const vector = fc
  .integer({ min: 0, max: 628 })
  .map((angle) => Float32Array.of(Math.cos(angle / 100), Math.sin(angle / 100)));
const builds = fc.array(fc.array(fc.record({ text: words, title: words, vector }), { maxLength: 8 }), {
  minLength: 1,
  maxLength: 4,
});

interface Query {
  text: string;
  vectors: QueryVectors;
}

const chunk = (id: string, text: string, more: Partial<IndexedChunk> = {}): IndexedChunk => ({
  id,
  source: id,
  index: 0,
  text,
  title: '',
  url: '',
  ...more,
});
const numbered = (corpus: Pick<IndexedChunk, 'text' | 'title' | 'vector'>[][]): IndexedChunk[][] =>
  corpus.map((chunks, b) => chunks.map((made, c) => ({ ...chunk(`${b}-${c}`, made.text, made), url: `/${b}/${c}` })));

const search = (builds: SearchedBuild[], { text, vectors }: Query, limit: number) =>
  searchByWords(builds, text).judge(vectors, limit).map(toHit);

function askAll(indexes: Awaited<ReturnType<typeof createBuildIndex>>[], query: Query, limit = 10) {
  return search(
    indexes.map((index, b) => ({ knowledgeId: `k${b}`, index })),
    query,
    limit,
  );
}
const lexical = (text: string): Query => ({ text, vectors: new Map() });
const hybrid = (text: string, vector: Float32Array, weight = WEIGHT): Query => ({
  text,
  vectors: new Map([['m', { vector, weight, prior }]]),
});
const ids = (hits: Hit[]) => hits.map(({ chunkId }) => chunkId);

/** Candidates whose texts are judged, if no more are asked for. */
const JUDGED = 12;

/** The same ranking without an index: every chunk is scored, scaled and sorted, and the best of them by evidence, too. */
function ranked(
  chunks: IndexedChunk[],
  query: string,
  angle: Float32Array,
  evidence: ReadonlyMap<string, number>,
): string[] {
  const indexer = createLexicalIndexer();
  for (const { title, text } of chunks) indexer.add(`${title} ${text}`);
  const index = indexer.finish();
  const terms = query.split(' ').filter(Boolean);
  const known = statistics([index], new Set(terms.map((w) => (w === 'apple' ? 'appl' : w))));
  const byWords = lexicalScores(index, known);
  const byVector = chunks.map(({ vector }) => Math.fround(vector![0]! * angle[0]! + vector![1]! * angle[1]!));
  const score = chunks.map(
    (_, i) => WEIGHT * Math.max(0, byVector[i]!) + (1 - WEIGHT) * (byWords[i]! / (highestScore(known) || 1)),
  );
  const seen = new Set<string>();
  return chunks
    .map(({ id, text }, i) => ({ id, text, score: score[i]! }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, JUDGED)
    .map(({ id, score }) => ({ id, score: (score + evidence.get(id)!) / 2 }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

test('the best of several builds are those found by scoring every chunk as one corpus', async () => {
  await fc.assert(
    fc.asyncProperty(builds, words, vector, async (corpus, text, angle) => {
      const chunks = numbered(corpus);
      const indexes = await Promise.all(chunks.map((build) => createBuildIndex(build, 'm')));
      const query = hybrid(text, angle);
      const evidence = new Map(askAll(indexes, query, 100).map((hit) => [hit.chunkId, hit.evidence]));
      const best = ranked(chunks.flat(), text, angle, evidence);
      expect(ids(askAll(indexes, query, 5))).toEqual(best.slice(0, 5));
    }),
  );
});

test('hits do not depend on the order of builds, of chunks, or of the query', async () => {
  await fc.assert(
    fc.asyncProperty(builds, words, vector, fc.boolean(), async (corpus, text, angle, withVectors) => {
      const query = withVectors ? hybrid(text, angle) : lexical(text);
      const named = await Promise.all(numbered(corpus).map(async (chunks, b) => ({ knowledgeId: `k${b}`, chunks })));
      const searchIn = async (order: <T>(items: T[]) => T[]) =>
        search(
          await Promise.all(
            order(named).map(async ({ knowledgeId, chunks }) => ({
              knowledgeId,
              index: await createBuildIndex(order(chunks), 'm'),
            })),
          ),
          query,
          6,
        );
      expect(await searchIn((items) => items.toReversed())).toEqual(await searchIn((items) => items));
    }),
  );
});

test('with more chunks than candidates, the best by words and the best by vector are both found', async () => {
  const many = Array.from({ length: 500 }, (_, i) =>
    chunk(`n${i}`, `river number ${i}`, { vector: Float32Array.of(0.5, Math.sqrt(0.75)) }),
  );
  const index = await createBuildIndex(
    [
      ...many,
      chunk('words', 'apple', { vector: Float32Array.of(-1, 0) }),
      chunk('vector', 'unlike', { vector: Float32Array.of(1, 0) }),
    ],
    'm',
  );
  const hits = askAll([index], hybrid('apple', Float32Array.of(1, 0)), 200);
  expect(ids(hits)[0]).toBe('vector');
  expect(ids(hits)).toContain('words');
});

test('a hit says how similar it is and how much of the question it covers', async () => {
  const index = await createBuildIndex(
    [chunk('a', 'A river.', { title: 'Stones', url: '/a', vector: Float32Array.of(0.6, 0.8) })],
    'm',
  );
  const [hit] = askAll([index], hybrid('Is there a river of stones, or a zebra?', Float32Array.of(1, 0)));
  expect(hit).toMatchObject({
    knowledgeId: 'k0',
    chunkId: 'a',
    title: 'Stones',
    url: '/a',
    text: 'A river.',
    section: 'A river.',
    headings: [],
    language: '',
    isFaq: false,
  });
  expect(hit!.similarity).toBeCloseTo(0.6, 6);
  const known = statistics([index.lexical], ['river', 'stone', 'zebra']);
  const weightOf = (term: string) => known.idf.get(term)!;
  const all = weightOf('river') + weightOf('stone') + weightOf('zebra');
  expect(hit!.coverage).toBeCloseTo((weightOf('river') + weightOf('stone')) / all, 9);
  expect(hit!.coverage).toBeLessThan(0.5); // two of three, but the unknown word weighs most
});

test('without a query vector of its model and dimension, a build is searched by words alone', async () => {
  const one = [
    chunk('a', 'apple', { vector: Float32Array.of(1, 0) }),
    chunk('b', 'river', { vector: Float32Array.of(1, 0) }),
  ];
  const index = await createBuildIndex(one, 'm');
  const queries = [
    lexical('apple'),
    { text: 'apple', vectors: new Map([['other', { vector: Float32Array.of(1, 0), weight: 1, prior }]]) },
    hybrid('apple', Float32Array.of(1, 0, 0)),
    hybrid('apple', Float32Array.of(Number.NaN, 0)),
  ];
  for (const query of queries) {
    const hits = askAll([index], query);
    expect(ids(hits)).toEqual(['a']);
    expect(hits[0]).toMatchObject({ coverage: 1 });
    expect(hits[0]).not.toHaveProperty('similarity');
  }
});

test('builds of two models are each searched with their own vector', async () => {
  const of = (id: string, model: string, vector: number[]) =>
    createBuildIndex([chunk(id, `${id} text`, { vector: Float32Array.from(vector) })], model);
  const indexes = await Promise.all([of('a', 'm', [1, 0]), of('b', 'n', [0, 0, 1])]);
  const vectors = new Map([
    ['m', { vector: Float32Array.of(1, 0), weight: 0.8, prior }],
    ['n', { vector: Float32Array.of(0, 0, 1), weight: 0.7, prior }],
  ]);
  const hits = askAll(indexes, { text: 'zebra', vectors });
  expect(hits).toMatchObject([
    { chunkId: 'a', similarity: 1 },
    { chunkId: 'b', similarity: 1 },
  ]);
  expect(hits.map(({ score, evidence }) => 2 * score - evidence)).toEqual([expect.closeTo(0.8), expect.closeTo(0.7)]);
});

test('a passage with the rare words of the question comes before one that is a little more similar', async () => {
  const at = (similar: number) => Float32Array.of(similar, Math.sqrt(1 - similar ** 2));
  const index = await createBuildIndex(
    [
      chunk('near', 'Of names and releases.', { vector: at(0.6) }),
      chunk('saying', 'The names of releases are taken from films.', { vector: at(0.55) }),
    ],
    'm',
  );
  const query = hybrid('Where are the names of releases taken from, which films?', Float32Array.of(1, 0), 0.95);
  expect(ids(askAll([index], query))).toEqual(['saying', 'near']);
});

test('a hidden chunk is searched as if it were not there, by words and by vectors', async () => {
  const chunks = ['apple river', 'apple stone', 'cloud'].map((text, i) =>
    chunk(`${i}`, text, { vector: Float32Array.of(Math.cos(i), Math.sin(i)) }),
  );
  const query = hybrid('apple river', Float32Array.of(1, 0));
  const hidden = { knowledgeId: 'k', index: await createBuildIndex(chunks, 'm'), hidden: new Set([0]) };
  const absent = { knowledgeId: 'k', index: await createBuildIndex(chunks.slice(1), 'm') };
  const found = search([hidden], query, 10);
  expect(ids(found)).toEqual(ids(search([absent], query, 10)));
  found.forEach((hit, i) => {
    expect(hit.coverage).toBeLessThanOrEqual(1);
    expect(hit.similarity).toBeCloseTo(search([absent], query, 10)[i]!.similarity!, 6);
  });
});

test('a build says by its own calibration how likely its passages answer; one of another version says nothing', async () => {
  const index = await createBuildIndex([chunk('a', 'apple', { vector: Float32Array.of(0.6, 0.8) })], 'm');
  const own = { version: CALIBRATION, questions: 9, far: 0.2, near: 0.4, scale: 1, offset: 2 };
  const hitOf = (calibration?: object) => {
    const build = { knowledgeId: 'k', index, calibration: calibration as Calibration };
    return search([build], hybrid('apple', Float32Array.of(1, 0)), 1)[0]!;
  };
  expect(hitOf(own).evidence).toBeGreaterThan(hitOf().evidence);
  expect(hitOf(own).relatedness).toBeGreaterThan(hitOf().relatedness);
  expect(hitOf({ ...own, version: CALIBRATION + 1 })).toEqual(hitOf());
  expect(hitOf({ sample: 400, mean: 0.1, deviation: 0.1, nearest: 0.7 })).toEqual(hitOf());
});

test('evidence and relatedness are shares, and a passage is never likelier to answer than to be about the question', async () => {
  await fc.assert(
    fc.asyncProperty(builds, words, vector, async (corpus, text, angle) => {
      const indexes = await Promise.all(numbered(corpus).map((build) => createBuildIndex(build, 'm')));
      for (const query of [hybrid(text, angle), lexical(text)])
        for (const { evidence, relatedness } of askAll(indexes, query)) {
          expect(evidence).toBeGreaterThanOrEqual(0);
          expect(evidence).toBeLessThanOrEqual(relatedness);
          expect(relatedness).toBeLessThanOrEqual(1);
        }
    }),
  );
});

test('however many models and chunks are searched, at most 200 candidates are judged', async () => {
  const indexes = await Promise.all(
    ['m', 'n', 'o'].map((model) =>
      createBuildIndex(
        Array.from({ length: 300 }, (_, i) =>
          chunk(`${model}${i}`, i % 2 ? `apple ${model} ${i}` : `river ${model} ${i}`, {
            vector: Float32Array.of(1, 0),
          }),
        ),
        model,
      ),
    ),
  );
  const query = { vector: Float32Array.of(1, 0), weight: WEIGHT, prior };
  const vectors = new Map(['m', 'n', 'o'].map((model) => [model, query]));
  const hits = askAll(indexes, { text: 'apple', vectors }, 1_000);
  expect(hits.length).toBeGreaterThan(100);
  expect(hits.length).toBeLessThanOrEqual(200);
});

test('a passage that stands out is better evidence than one among many that are as near', async () => {
  const near = Float32Array.of(0.6, 0.8);
  const far = (i: number) => chunk(`far${i}`, `stone ${i}`, { vector: Float32Array.of(0.1, Math.sqrt(0.99)) });
  const alike = (i: number) => chunk(`near${i}`, `cloud ${i}`, { vector: near });
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  const evidenceAmong = async (others: IndexedChunk[]) => {
    const index = await createBuildIndex([chunk('it', 'paper', { vector: near }), ...others], 'm');
    return askAll([index], hybrid('river', Float32Array.of(1, 0)), 50).find(({ chunkId }) => chunkId === 'it')!
      .evidence;
  };
  const outstanding = await evidenceAmong(twenty.map(far));
  expect(outstanding).toBeGreaterThan(await evidenceAmong(twenty.map(alike)));
  // With too few others to tell, it is neither.
  const few = await evidenceAmong([]);
  expect(few).toBeLessThan(outstanding);
  expect(few).toBeGreaterThan(await evidenceAmong(twenty.map(alike)));
});

test('a text repeated on several pages appears once, as its best hit', async () => {
  const index = await createBuildIndex([
    chunk('b', 'Call us: river 5!'),
    chunk('a', 'call us  RIVER 5'),
    chunk('c', 'Call us, river 5', { title: 'river' }),
    chunk('d', 'another river'),
  ]);
  expect(ids(askAll([index], lexical('river'))).sort()).toEqual(['c', 'd']);
});

test('no builds, empty builds, empty questions and stop words find nothing and break nothing', async () => {
  const empty = await createBuildIndex([], 'm');
  const one = await createBuildIndex([chunk('a', 'apple')]);
  expect(askAll([], lexical('apple'))).toEqual([]);
  expect(askAll([empty], hybrid('apple', Float32Array.of(1, 0)))).toEqual([]);
  expect(askAll([one], lexical(''))).toEqual([]);
  expect(askAll([one], lexical('what is it?'))).toEqual([]);
  expect(askAll([one], lexical('apple'), 0)).toEqual([]);
});
