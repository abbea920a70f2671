import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createChunkSample, type SampledChunk } from './chunk-sample.ts';

const chunks: SampledChunk[] = Array.from({ length: 60 }, (_, i) => ({
  ...{ source: `/${i % 7}`, section: Math.floor(i / 14), index: i, text: `${i}`, title: '', url: '' },
  vector: i % 3 ? Float32Array.of(i) : null,
}));
const key = ({ source, section }: { source: string; section?: number }) => `${source} ${section}`;

test('a build that fits is kept whole', () => {
  const sample = createChunkSample(60);
  sample.offer(chunks);
  expect(sample.chunks.map(({ text }) => text).sort()).toEqual(chunks.map(({ text }) => text).sort());
  expect(sample.chunks.filter(({ vector }) => vector)).toHaveLength(40);
});

test('of a larger one, whole sections are kept, the same ones in whatever batches and order they come', () => {
  const sampled = (all: readonly SampledChunk[], batch: number) => {
    const sample = createChunkSample(20);
    for (let from = 0; from < all.length; from += batch) sample.offer(all.slice(from, from + batch));
    return sample.chunks;
  };
  const order = fc.shuffledSubarray(chunks, { minLength: chunks.length });
  fc.assert(
    fc.property(order, fc.integer({ min: 1, max: 60 }), (shuffled, batch) => {
      const kept = sampled(shuffled, batch);
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.length).toBeLessThanOrEqual(20);
      for (const place of new Set(kept.map(key)))
        expect(kept.filter((each) => key(each) === place)).toHaveLength(
          chunks.filter((each) => key(each) === place).length,
        );
    }),
  );
});
