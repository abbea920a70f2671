import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NewChunk } from '../chunk.ts';
import { openFormerBuild } from './former-build.ts';
import { openBuild } from './open-build.ts';
import { searchable } from './schema.ts';
import { createBuildWriter } from './write-build.ts';

let dir: string;
let files = 0;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'parley-write-'));
});
afterAll(() => rm(dir, { recursive: true }));

const fileName = () => path.join(dir, `${++files}.sqlite`);
const chunk = (source: string, index: number, fields: Partial<NewChunk> = {}): NewChunk => ({
  ...{ source, index, title: 'Bread', url: `/${source}`, text: `text ${index}`, headings: [] },
  ...{ text_hash: `${source} ${index}`, vector: null },
  ...fields,
});

const chunks: NewChunk[] = [
  chunk('a', 0, {
    text: 'Baked at dawn',
    headings: ['Rye', 'Ovens'],
    section: 3,
    language: 'en',
    vector: Float32Array.of(0.6, -0.8, 0),
    origin: { hash: 'h', chunks: 2 },
  }),
  chunk('a', 1, { joint: { repeated: 2, separator: '\n' }, section: 3, vector: Float32Array.of(0, 0, 1) }),
  chunk('b', 0, { vector: Float32Array.of(Number.NaN, 0, 0) }),
];

test('a later training finds every passage as it was written, and its vectors but for their rounding', () => {
  const file = fileName();
  const writer = createBuildWriter(file);
  writer.add(chunks);
  writer.finish({ model: 'm', calibration: { version: 1, questions: 2, far: 0, near: 1, scale: 1, offset: 0 } });
  writer.db.close();
  const former = openFormerBuild(file);
  const found = former.batch(0, 10);
  expect(found.map(({ vector: _, ...rest }) => rest)).toEqual(chunks.map(({ vector: _, ...rest }) => rest));
  expect(found.map(({ vector }) => vector && [...vector])).toEqual([
    [expect.closeTo(0.6, 2), expect.closeTo(-0.8, 2), 0],
    [0, 0, 1],
    null, // had no direction
  ]);
  expect(former.origin('a')).toEqual({ hash: 'h', chunks: 2 });
  expect(former.origin('b')).toBeUndefined();
  expect(former.ofSource('a', 1)).toMatchObject([{ text: 'Baked at dawn' }]);
  expect([...former.vectors(['a 1', 'unknown']).keys()]).toEqual(['a 1']);
  expect(former.calibration).toMatchObject({ questions: 2 });
  former.close();
});

test('a vector that is copied from build to build stays what it is', () => {
  const copy = (vector: Float32Array) => {
    const writer = createBuildWriter(fileName());
    writer.add([chunk('a', 0, { vector })]);
    writer.flush();
    const former = openFormerBuild(writer.db.location()!);
    const [copied] = former.batch(0, 1);
    former.close();
    writer.db.close();
    return copied!.vector!;
  };
  fc.assert(
    fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 9 }), (numbers) => {
      fc.pre(numbers.some((number) => Math.abs(number) > 0.01));
      const once = copy(Float32Array.from(numbers));
      expect(copy(once)).toEqual(once);
    }),
    { numRuns: 20 },
  );
});

test('what was added before a run died can be read, though the build is not finished, and is not searched', () => {
  const file = fileName();
  const writer = createBuildWriter(file);
  writer.add(chunks);
  writer.flush();
  const former = openFormerBuild(file);
  expect(former.vectors(['a 0', 'a 1']).size).toBe(2);
  expect(former.calibration).toBeUndefined();
  former.close();
  expect(() => openBuild(file)).toThrow();
  writer.db.close();
});

test('a passage that is there already is not added again, and vectors of two dimensions are refused', () => {
  const writer = createBuildWriter(':memory:');
  writer.add(chunks);
  writer.add(chunks);
  expect(writer.passages).toBe(3);
  expect(() => writer.add([chunk('c', 0, { vector: Float32Array.of(1) })])).toThrow('Train it again');
});

test('of any terms, the full-text table finds each', () => {
  const term = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => !/\s/.test(text));
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE search USING fts5 (terms, content='', detail=none, tokenize="ascii tokenchars '_'")`);
  const insert = db.prepare('INSERT INTO search (rowid, terms) VALUES (?, ?)');
  const match = db.prepare('SELECT max(rowid) AS last FROM search WHERE search MATCH ?');
  let n = 0;
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), (terms) => {
      insert.run(++n, searchable(terms.map((each) => each.toLowerCase())));
      for (const each of terms) expect(match.get(`"${searchable([each.toLowerCase()])}"`)).toEqual({ last: n });
    }),
  );
});
