import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openBuild } from '../build/open-build.ts';
import { cosineOf, toRow } from '../build/vector-rows.ts';
import { createBuildWriter } from '../build/write-build.ts';
import type { NewChunk } from '../chunk.ts';
import { wordScore } from './bm25.ts';
import { type Engine, localEngine, type Searchable } from './engine.ts';
import { BuildUnreadable, createSearchPool, type SearchPool } from './pool.ts';
import { queryWords } from './query.ts';

const WORDS = ['apple', 'river', 'stone', 'cloud', 'paper'];
const DIMENSION = 4;
const passages = fc.array(
  fc.record({
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
    vector: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSION, maxLength: DIMENSION }),
  }),
  { maxLength: 12 },
);
const corpora = fc.array(passages, { minLength: 1, maxLength: 4 });

const unit = (numbers: readonly number[]) => {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (number) => number / length);
};
const chunk = (index: number, text: string, vector: Float32Array | null): NewChunk => ({
  ...{ source: `${index}`, index: 0, title: '', url: '', text, language: 'en', text_hash: '', vector },
});

let dir: string;
let pool: SearchPool;
let files = 0;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'parley-engine-'));
  pool = createSearchPool({ memoryBytes: 1_000_000 });
});
afterAll(async () => {
  await pool.close();
  await rm(dir, { recursive: true });
});

/** Writes a build to a file, named as builds are. */
function fileOf(chunks: readonly NewChunk[], model: string | null): string {
  files += 1;
  const file = path.join(dir, `${files}.${(files % 16).toString(16)}.sqlite`);
  const writer = createBuildWriter(file);
  writer.add(chunks);
  writer.finish({ model });
  writer.db.close();
  return file;
}

interface Adapter {
  engine: Engine<{ index: never }>;
  open(file: string): Promise<{ index: Searchable }>;
}

const adapters: [name: string, open: () => Adapter][] = [
  ['in this thread', () => ({ engine: localEngine(), open: async (file) => ({ index: openBuild(file) }) })],
  ['in threads of its own', () => ({ engine: pool, open: async (file) => ({ index: await pool.open(file) }) })],
];

describe.each(adapters)('an engine %s', (_name, adapter) => {
  test('finds the best by words and by vectors, over all builds as one corpus', async () => {
    const { engine, open } = adapter();
    const query = fc.tuple(
      fc.uniqueArray(fc.constantFrom(...WORDS, 'zebra'), { maxLength: 4 }),
      passages,
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(corpora, query, async (corpus, [asked, [other], hasModel]) => {
        const vector = unit(other?.vector ?? [1, 0, 0, 0]);
        const model = hasModel ? 'm' : null;
        const opened = corpus.map((build) => {
          const chunks = build.map(({ words, vector }, i) => chunk(i, words.join(' '), hasModel ? unit(vector) : null));
          return open(fileOf(chunks, model));
        });
        const builds = (await Promise.all(opened)) as { index: never }[];
        const words = queryWords(
          asked.join(' '),
          builds.map(({ index }) => index),
        );
        const limit = 60; // more than there are passages: how often one holds a word is not known when it is nominated
        const vectors = new Map([['m', vector]]);
        const { candidates, statistics } = await engine.candidates(builds, words, vectors, limit);

        const all = corpus.flatMap((build, at) => build.map((passage, n) => ({ ...passage, at, n })));
        const scored = all.map(({ words: held, vector: own, ...place }) => ({
          ...place,
          words: wordScore(
            { counts: asked.map((word) => held.filter((each) => each === word).length), length: held.length },
            statistics,
          ),
          cosine: hasModel ? cosineOf(vector, toRow(unit(own), DIMENSION)) : undefined,
        }));
        const holding = asked.map((word) => all.filter(({ words }) => words.includes(word)).length);
        expect(statistics.idf).toEqual(
          holding.map((held) => expect.closeTo(Math.log(1 + (all.length - held + 0.5) / (held + 0.5)), 9)),
        );
        const found = candidates.map((candidate) => ({
          at: candidate.build,
          n: candidate.passage.n,
          words: wordScore(candidate, statistics),
          cosine: candidate.cosine,
        }));
        expect(found.length).toBeLessThanOrEqual(limit);
        for (const each of found) {
          const { words, cosine } = scored.find(({ at, n }) => at === each.at && n === each.n)!;
          expect(each.words).toBeCloseTo(words, 9);
          if (cosine === undefined) expect(each.cosine).toBeUndefined();
          else expect(each.cosine).toBeCloseTo(cosine, 5);
        }
        const bestOf = (scores: (number | undefined)[]) =>
          scores
            .filter((score) => score !== undefined)
            .sort((a, b) => b - a)
            .slice(0, limit / 2);
        const positive = (scores: number[]) => bestOf(scores).filter((score) => score > 0);
        expect(positive(found.map(({ words }) => words))).toEqual(
          positive(scored.map(({ words }) => words)).map((score) => expect.closeTo(score, 9)),
        );
        expect(bestOf(found.map(({ cosine }) => cosine))).toEqual(
          bestOf(scored.map(({ cosine }) => cosine)).map((score) => expect.closeTo(score, 5)),
        );
      }),
      { numRuns: 15 },
    );
  });

  test('reads vectors of many blocks, more than it may keep in memory', async () => {
    const { engine, open } = adapter();
    const dimension = 1_024;
    const rows = 3_000; // three blocks of 1 MiB
    const chunks = Array.from({ length: rows }, (_, i) => {
      const vector = new Float32Array(dimension);
      vector[i % dimension] = 1;
      vector[(i * 7 + 1) % dimension]! += i === rows - 1 ? 0.1 : 0.5;
      return chunk(i, `number ${i}`, unit([...vector]));
    });
    const build = (await open(fileOf(chunks, 'm'))) as { index: never };
    const query = new Float32Array(dimension);
    query[(rows - 1) % dimension] = 1;
    const { candidates } = await engine.candidates([build], [], new Map([['m', query]]), 10);
    expect(candidates[0]!.passage.text).toBe(`number ${rows - 1}`);
    expect(candidates).toHaveLength(5);
  });

  test('finds the nearest of far more passages than it may name, whatever build and order they are in', async () => {
    const { engine, open } = adapter();
    const query = unit([1, 2, 3, 4]);
    const vectors = Array.from({ length: 900 }, (_, i) =>
      unit([Math.sin(i), Math.cos(2 * i), Math.sin(3 * i + 1), Math.cos(5 * i + 2)]),
    );
    const chunks = vectors.map((vector, i) => chunk(i, `number ${i}`, vector));
    const parts = Array.from({ length: 12 }, (_, at) => chunks.slice(75 * at, 75 * at + 75));
    const builds = await Promise.all(parts.map((part) => open(fileOf(part, 'm'))));
    const limit = 20;
    const { candidates } = await engine.candidates(builds as { index: never }[], [], new Map([['m', query]]), limit);
    const nearest = vectors
      .map((vector, i) => ({ text: `number ${i}`, cosine: cosineOf(query, toRow(vector, DIMENSION))! }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, limit / 2)
      .map(({ text }) => text);
    expect(candidates.map(({ passage }) => passage.text).sort()).toEqual(nearest.sort());
  });

  test('reads a mistyped word, which no passage has, as those that are spelled nearly so, and any other as it is', async () => {
    const { engine, open } = adapter();
    const texts = ['Keep the receipt.', 'A reason for songs.', 'The river is wide.', 'Rivers are long.'];
    const chunks = texts.map((text, i) => chunk(i, text, null));
    const halves = [chunks.slice(0, 2), chunks.slice(2)];
    const builds = await Promise.all(halves.map((half) => open(fileOf(half, null))));
    const found = async (question: string) => {
      const words = queryWords(
        question,
        builds.map(({ index }) => index),
      );
      const { candidates } = await engine.candidates(builds as { index: never }[], words, new Map(), 10);
      return candidates.map(({ passage }) => passage.text).sort();
    };
    expect(await found('wheres my reciept')).toEqual(['Keep the receipt.']);
    expect(await found('rivver')).toEqual(['Rivers are long.', 'The river is wide.']);
    expect(await found('reason')).toEqual(['A reason for songs.']);
    for (const none of ['wedi', 'cloudburst', 'r1ver', 'zriver']) expect(await found(none)).toEqual([]);
  });

  test('joins the section of a passage', async () => {
    const { engine, open } = adapter();
    const parts = ['One.', 'Two.'].map((text, index) => ({ ...chunk(0, text, null), index, section: 0 }));
    const build = (await open(fileOf(parts, null))) as { index: never };
    expect(await engine.section(build, parts[1]!, false)).toBe('One.\n\nTwo.');
  });
});

test('a file that is cut short while it is open is reported, and the next one is searched', async () => {
  const chunks = Array.from({ length: 500 }, (_, i) => chunk(i, `river ${i} `.repeat(50), null));
  const [broken, whole] = [fileOf(chunks, null), fileOf(chunks, null)];
  const index = await pool.open(broken);
  await truncate(broken, 8_192);
  const ask = (index: Awaited<ReturnType<SearchPool['open']>>) =>
    pool.candidates([{ index }], [['river']], new Map(), 10);
  const error = await ask(index).catch((error) => error);
  expect(error).toBeInstanceOf(BuildUnreadable);
  expect(error.paths).toEqual([broken]);
  expect((await ask(await pool.open(whole))).candidates).toHaveLength(5);
});

test('a file that is no build is not opened', async () => {
  await expect(pool.open(path.join(dir, 'none.0.sqlite'))).rejects.toThrow(BuildUnreadable);
});
