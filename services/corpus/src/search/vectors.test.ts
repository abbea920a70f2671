import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createVectorIndexer, similarities } from './vectors.ts';

const sized = fc.integer({ min: 1, max: 20 }).chain((dimension) => {
  const vector = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: dimension, maxLength: dimension });
  return fc.tuple(vector, fc.array(vector, { minLength: 1, maxLength: 8 }));
});

test('the scan returns the dot product of every row, whatever the dimension', () => {
  fc.assert(
    fc.property(sized, ([query, rows]) => {
      const indexer = createVectorIndexer();
      for (const row of rows) indexer.add(Float32Array.from(row));
      const scores = similarities(indexer.finish()!, Float32Array.from(query));
      rows.forEach((row, i) => {
        const dot = row.reduce((sum, x, d) => sum + x * query[d]!, 0);
        expect(scores[i]).toBeCloseTo(Math.max(-1, Math.min(1, dot)), 5);
      });
    }),
  );
});

test('a missing vector, or one that contains no numbers, is similar to nothing', () => {
  const indexer = createVectorIndexer();
  for (const vector of [undefined, [Number.NaN, 1], [0, 1]]) indexer.add(vector && Float32Array.from(vector));
  expect([...similarities(indexer.finish()!, Float32Array.of(0, 1))]).toEqual([0, 0, 1]);
});

test('a build with two dimensions is refused, and one without vectors has no index of them', () => {
  const indexer = createVectorIndexer();
  indexer.add(undefined);
  expect(indexer.finish()).toBeUndefined();
  indexer.add(Float32Array.of(1, 0));
  expect(() => indexer.add(Float32Array.of(1))).toThrow('vectors of 2 and of 1 numbers');
});
