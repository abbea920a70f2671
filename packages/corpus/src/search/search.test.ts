import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenBuild } from '../build/open-build.ts';
import { CALIBRATION, type Calibration } from '../model.ts';
import { highestScore, idfOf, wordScore } from './bm25.ts';
import { localEngine } from './engine.ts';
import type { Prior } from './evidence.ts';
import { type Hit, toHit } from './hits.ts';
import { type IndexedChunk, memoryBuild } from './memory-build.ts';
import { type QueryVectors, type SearchedBuild, search as searchIn } from './search.ts';

const WORDS = ['apple', 'river', 'stone', 'cloud', 'paper'];
/** The prior of a model by which the cosine itself is the share of similarity in the score. */
const prior: Prior = {
  ...{ far: 0, near: 0.5, strength: 0 },
  about: { similarity: 3, words: 5, constant: -3 },
  weights: { score: 3, lead: 8, constant: -3 },
};
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((chosen) => chosen.join(' '));
/** In a direction that int8 has exactly. */
const vector = fc
  .tuple(fc.constantFrom(-127, 127), fc.integer({ min: -127, max: 127 }), fc.boolean())
  .map(([a, b, swap]) => {
    const length = Math.hypot(a, b);
    return Float32Array.from(swap ? [b / length, a / length] : [a / length, b / length]);
  });
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
  url: id,
  ...more,
});
const numbered = (corpus: Pick<IndexedChunk, 'text' | 'title' | 'vector'>[][]): IndexedChunk[][] =>
  corpus.map((chunks, b) => chunks.map((made, c) => chunk(`${b}-${c}`, made.text, made)));

const engine = localEngine();

async function search(builds: SearchedBuild<OpenBuild>[], { text, vectors }: Query, limit: number): Promise<Hit[]> {
  const { found } = await searchIn(engine, builds, text, vectors);
  return Promise.all(
    found
      .slice(0, limit)
      .map(async (judged) => toHit(judged, await engine.section(judged.build, judged.passage, false))),
  );
}

const askAll = (indexes: OpenBuild[], query: Query, limit = 10) =>
  search(
    indexes.map((index, b) => ({ knowledgeId: `k${b}`, index })),
    query,
    limit,
  );
const lexical = (text: string): Query => ({ text, vectors: new Map() });
const hybrid = (text: string, vector: Float32Array): Query => ({
  text,
  vectors: new Map([['m', { vector, prior }]]),
});
const ids = (hits: Hit[]) => hits.map(({ url }) => url);

/** The same ranking without an index: every chunk is scored, scaled and sorted. */
function ranked(chunks: IndexedChunk[], query: string, angle: Float32Array) {
  const terms = chunks.map(({ title, text }) => `${title} ${text}`.split(' ').filter(Boolean));
  const words = [...new Set(query.split(' ').filter(Boolean))];
  const all = terms.reduce((sum, { length }) => sum + length, 0);
  const idf = words.map((word) => idfOf(chunks.length, terms.filter((held) => held.includes(word)).length));
  const known = { idf, averageLength: all / chunks.length || 1 };
  const scores = chunks.map(({ vector }, i) => {
    const counts = words.map((word) => terms[i]!.filter((term) => term === word).length);
    const cosine = vector![0]! * angle[0]! + vector![1]! * angle[1]!;
    const byWords = wordScore({ counts, length: terms[i]!.length }, known) / (highestScore(known) || 1);
    return (Math.max(0, cosine) + byWords) / 2;
  });
  const seen = new Set<string>();
  return chunks
    .map(({ url, text }, i) => ({ url, text, score: scores[i]! }))
    .sort((a, b) => b.score - a.score)
    .filter(({ text }) => !seen.has(text) && seen.add(text));
}

test('the best of several builds are those found by scoring every chunk as one corpus', async () => {
  await fc.assert(
    fc.asyncProperty(builds, words, vector, async (corpus, text, angle) => {
      const chunks = numbered(corpus);
      const indexes = chunks.map((build) => memoryBuild(build, 'm'));
      const best = ranked(chunks.flat(), text, angle).slice(0, 5);
      const hits = await askAll(indexes, hybrid(text, angle), 5);
      expect(hits.map(({ score }) => score)).toEqual(best.map(({ score }) => expect.closeTo(score, 5)));
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
              index: memoryBuild(order(chunks), 'm'),
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
  const index = memoryBuild(
    [
      ...many,
      chunk('words', 'apple', { vector: Float32Array.of(-1, 0) }),
      chunk('vector', 'unlike', { vector: Float32Array.of(1, 0) }),
    ],
    'm',
  );
  const hits = await askAll([index], hybrid('apple', Float32Array.of(1, 0)), 200);
  expect(ids(hits)[0]).toBe('vector');
  expect(ids(hits)).toContain('words');
});

test('a hit says where it stands and how similar it is', async () => {
  const index = memoryBuild(
    [chunk('a', 'A river.', { title: 'Stones', url: '/a', vector: Float32Array.of(0.6, 0.8) })],
    'm',
  );
  const [hit] = await askAll([index], hybrid('Is there a river of stones, or a zebra?', Float32Array.of(1, 0)));
  expect(hit).toMatchObject({
    knowledgeId: 'k0',
    passageId: expect.any(String),
    title: 'Stones',
    url: '/a',
    text: 'A river.',
    section: 'A river.',
    headings: [],
    language: '',
    isFaq: false,
  });
  expect(hit!.similarity).toBeCloseTo(0.6, 2);
});

test('without a query vector of its model and dimension, a build is searched by words alone', async () => {
  const one = [
    chunk('a', 'apple', { vector: Float32Array.of(1, 0) }),
    chunk('b', 'river', { vector: Float32Array.of(1, 0) }),
  ];
  const index = memoryBuild(one, 'm');
  const queries = [
    lexical('apple'),
    { text: 'apple', vectors: new Map([['other', { vector: Float32Array.of(1, 0), prior }]]) },
    hybrid('apple', Float32Array.of(1, 0, 0)),
    hybrid('apple', Float32Array.of(Number.NaN, 0)),
  ];
  for (const query of queries) {
    const hits = await askAll([index], query);
    expect(ids(hits)).toEqual(['a']);
    expect(hits[0]).not.toHaveProperty('similarity');
  }
});

test('builds of two models are each searched with their own vector', async () => {
  const of = (id: string, model: string, vector: number[]) =>
    memoryBuild([chunk(id, `${id} text`, { vector: Float32Array.from(vector) })], model);
  const indexes = await Promise.all([of('a', 'm', [1, 0]), of('b', 'n', [0, 0, 1])]);
  const vectors = new Map([
    ['m', { vector: Float32Array.of(1, 0), prior }],
    ['n', { vector: Float32Array.of(0, 0, 1), prior }],
  ]);
  const hits = await askAll(indexes, { text: 'zebra', vectors });
  expect(hits).toMatchObject([
    { url: 'a', similarity: 1 },
    { url: 'b', similarity: 1 },
  ]);
  expect(hits.map(({ score }) => score)).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
});

test('a passage with the rare words of the question comes before one that is a little more similar', async () => {
  const at = (similar: number) => Float32Array.of(similar, Math.sqrt(1 - similar ** 2));
  const index = memoryBuild(
    [
      chunk('near', 'Of names and releases.', { vector: at(0.6) }),
      chunk('saying', 'The names of releases are taken from films.', { vector: at(0.55) }),
    ],
    'm',
  );
  const query = hybrid('Where are the names of releases taken from, which films?', Float32Array.of(1, 0));
  expect(ids(await askAll([index], query))).toEqual(['saying', 'near']);
});

test('a hidden chunk is searched as if it were not there, by words and by vectors', async () => {
  const chunks = ['apple river', 'apple stone', 'cloud'].map((text, i) =>
    chunk(`${i}`, text, { vector: Float32Array.of(Math.cos(i), Math.sin(i)) }),
  );
  const query = hybrid('apple river', Float32Array.of(1, 0));
  const hidden = { knowledgeId: 'k', index: memoryBuild(chunks, 'm'), hidden: new Set([0]) };
  const absent = { knowledgeId: 'k', index: memoryBuild(chunks.slice(1), 'm') };
  const found = await search([hidden], query, 10);
  const expected = await search([absent], query, 10);
  expect(ids(found)).toEqual(ids(expected));
  found.forEach((hit, i) => {
    expect(hit.similarity).toBeCloseTo(expected[i]!.similarity!, 6);
  });
});

test('a build says by its own calibration how likely its passages answer; one of another version says nothing', async () => {
  const index = memoryBuild([chunk('a', 'apple', { vector: Float32Array.of(0.6, 0.8) })], 'm');
  const own = { version: CALIBRATION, questions: 9, far: 0.2, near: 0.4, scale: 1, offset: 2 };
  const hitOf = async (calibration?: object) => {
    const build = { knowledgeId: 'k', index, calibration: calibration as Calibration };
    return (await search([build], hybrid('apple', Float32Array.of(1, 0)), 1))[0]!;
  };
  expect((await hitOf(own)).evidence).toBeGreaterThan((await hitOf()).evidence);
  expect((await hitOf(own)).relatedness).toBeGreaterThan((await hitOf()).relatedness);
  expect(await hitOf({ ...own, version: CALIBRATION + 1 })).toEqual(await hitOf());
  expect(await hitOf({ sample: 400, mean: 0.1, deviation: 0.1, nearest: 0.7 })).toEqual(await hitOf());
});

test('evidence and relatedness are shares, and a passage is never likelier to answer than to be about the question', async () => {
  await fc.assert(
    fc.asyncProperty(builds, words, vector, async (corpus, text, angle) => {
      const indexes = await Promise.all(numbered(corpus).map((build) => memoryBuild(build, 'm')));
      for (const query of [hybrid(text, angle), lexical(text)])
        for (const { evidence, relatedness } of await askAll(indexes, query)) {
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
      memoryBuild(
        Array.from({ length: 300 }, (_, i) =>
          chunk(`${model}${i}`, i % 2 ? `apple ${model} ${i}` : `river ${model} ${i}`, {
            vector: Float32Array.of(1, 0),
          }),
        ),
        model,
      ),
    ),
  );
  const query = { vector: Float32Array.of(1, 0), prior };
  const vectors = new Map(['m', 'n', 'o'].map((model) => [model, query]));
  const hits = await askAll(indexes, { text: 'apple', vectors }, 1_000);
  expect(hits.length).toBeGreaterThan(100);
  expect(hits.length).toBeLessThanOrEqual(200);
});

test('a passage that stands out is better evidence than one among many that are as near', async () => {
  const near = Float32Array.of(0.6, 0.8);
  const far = (i: number) => chunk(`far${i}`, `stone ${i}`, { vector: Float32Array.of(0.1, Math.sqrt(0.99)) });
  const alike = (i: number) => chunk(`near${i}`, `cloud ${i}`, { vector: near });
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  const evidenceAmong = async (others: IndexedChunk[]) => {
    const index = memoryBuild([chunk('it', 'paper', { vector: near }), ...others], 'm');
    const hits = await askAll([index], hybrid('river', Float32Array.of(1, 0)), 50);
    return hits.find(({ url }) => url === 'it')!.evidence;
  };
  const outstanding = await evidenceAmong(twenty.map(far));
  expect(outstanding).toBeGreaterThan(await evidenceAmong(twenty.map(alike)));
  // With too few others to tell, it is neither.
  const few = await evidenceAmong([]);
  expect(few).toBeLessThan(outstanding);
  expect(few).toBeGreaterThan(await evidenceAmong(twenty.map(alike)));
});

test('a text repeated on several pages appears once, as its best hit', async () => {
  const index = memoryBuild([
    chunk('b', 'Call us: river 5!'),
    chunk('a', 'call us  RIVER 5'),
    chunk('c', 'Call us, river 5', { title: 'river' }),
    chunk('d', 'another river'),
  ]);
  expect(ids(await askAll([index], lexical('river'))).sort()).toEqual(['c', 'd']);
});

test('no builds, empty builds, empty questions and stop words find nothing and break nothing', async () => {
  const empty = memoryBuild([], 'm');
  const one = memoryBuild([chunk('a', 'apple')]);
  expect(await askAll([], lexical('apple'))).toEqual([]);
  expect(await askAll([empty], hybrid('apple', Float32Array.of(1, 0)))).toEqual([]);
  expect(await askAll([one], lexical(''))).toEqual([]);
  expect(await askAll([one], lexical('what is it?'))).toEqual([]);
  expect(await askAll([one], lexical('apple'), 0)).toEqual([]);
});
