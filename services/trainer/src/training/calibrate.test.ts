import { expect, test } from '@jest/globals';
import { type Embedder, EmbeddingUnavailable, FOREIGN_QUESTIONS } from '@parley/corpus';
import { calibrate } from './calibrate.ts';

const { signal } = new AbortController();
const sample = [Float32Array.of(1, 0), Float32Array.of(1, 0), Float32Array.of(0, 1)];

function fakeEmbedder(embedQuery: Embedder['embedQuery']): Embedder {
  const calibration = { sample: 0, mean: 0, deviation: 0, nearest: 1 };
  return { model: 'm', weight: 1, calibration, embedQuery, embed: async () => [], close: async () => {} };
}

test('a build is compared with foreign questions, which are embedded once for all builds of a model', async () => {
  const asked: string[] = [];
  const embedder = fakeEmbedder(async (text) => {
    asked.push(text);
    return Float32Array.of(0, 1);
  });
  const first = await calibrate(embedder, sample, signal);
  expect(first!.mean).toBeCloseTo(1 / 3, 6);
  expect(await calibrate(embedder, sample, signal)).toEqual(first);
  expect(asked).toEqual(FOREIGN_QUESTIONS);
});

test('a build is published without a calibration if the model is unavailable, and the next one has it again', async () => {
  let isUp = false;
  const embedder = fakeEmbedder(async () => {
    if (!isUp) throw new EmbeddingUnavailable('busy');
    return Float32Array.of(0, 1);
  });
  expect(await calibrate(embedder, sample, signal)).toBeUndefined();
  isUp = true;
  expect(await calibrate(embedder, sample, signal)).toBeDefined();
});

test('without a model or without chunks there is nothing to compare', async () => {
  expect(await calibrate(null, sample, signal)).toBeUndefined();
  expect(
    await calibrate(
      fakeEmbedder(async () => Float32Array.of(1, 0)),
      sample.slice(1, 2),
      signal,
    ),
  ).toBeUndefined();
});
