import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createVectorSample } from './vector-sample.ts';

test('a sample depends on the texts alone: not on their order, nor on how often they come', () => {
  const offered = fc.array(fc.nat({ max: 30 }), { maxLength: 60 });
  fc.assert(
    fc.property(offered, fc.integer({ min: 1, max: 12 }), (numbers, size) => {
      const sampleOf = (order: number[]) => {
        const sample = createVectorSample(size);
        for (const n of order) sample.offer(String(n).padStart(2, '0'), Float32Array.of(n));
        return sample.vectors.map(([n]) => n);
      };
      const distinct = [...new Set(numbers)].sort((a, b) => a - b);
      expect(sampleOf(numbers)).toEqual(distinct.slice(0, size));
      expect(sampleOf([...numbers.toReversed(), ...numbers])).toEqual(sampleOf(numbers));
    }),
  );
});

test('a chunk without a vector is left out', () => {
  const sample = createVectorSample();
  sample.offer('a', null);
  expect(sample.vectors).toEqual([]);
});
