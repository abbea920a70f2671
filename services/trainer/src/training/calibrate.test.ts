import { expect, test } from '@jest/globals';
import {
  ANY,
  CALIBRATION,
  type Embedder,
  EmbeddingUnavailable,
  type IndexedChunk,
  MINILM,
  type Prior,
} from '@parley/corpus';
import { calibrate } from './calibrate.ts';

const { signal } = new AbortController();
const SUBJECTS = ['river bank', 'stone wall', 'cloud height', 'paper size', 'apple cake', 'engine oil', 'garden path'];

/** Each subject is a direction of its own; a question is between its own and one that all share. */
const directionOf = (text: string, own: number, shared: number) => {
  const vector = new Float32Array(SUBJECTS.length + 1);
  const at = SUBJECTS.findIndex((subject) => text.includes(subject.split(' ')[0]!));
  vector[at < 0 ? SUBJECTS.length : at] = own;
  vector[SUBJECTS.length]! += shared;
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
};

function embedderOf(prior: Prior, own = 1): Embedder & { texts: string[] } {
  const texts: string[] = [];
  return {
    ...{ texts, model: 'm', prior, close: async () => {} },
    async embed(all) {
      texts.push(...all);
      return all.map((text) => directionOf(text, own, 1));
    },
    embedQuery: async (text) => directionOf(text, 1, 1),
  };
}

const build = (embedder: Embedder | null, subjects = SUBJECTS): Promise<IndexedChunk[]> =>
  Promise.all(
    subjects.map(async (subject, i) => {
      const text = `All about the ${subject.split(' ')[0]}.`;
      const [vector] = (await embedder?.embed([text])) ?? [];
      const place = { id: `${i}`, source: `/${i}`, index: 0, section: 0, url: '', language: 'en' };
      return { ...place, title: 'Guide', headings: [subject], text, ...(vector && { vector }) };
    }),
  );

test('evidence counts for more in a build whose own questions are told from those without an answer than in another one', async () => {
  const [good, bad] = [embedderOf(ANY), embedderOf(ANY, 0)];
  const sure = await calibrate(good, await build(good), false, signal);
  const unsure = await calibrate(bad, await build(bad), false, signal);
  expect(sure).toMatchObject({ version: CALIBRATION, questions: 7 });
  expect(sure!.scale).toBeGreaterThan(unsure!.scale);
});

test("the scale of an unknown model is the build's own, that of a known one hardly moves for a small build", async () => {
  const [unknown, known] = [embedderOf(ANY), embedderOf(MINILM)];
  const own = await calibrate(unknown, await build(unknown), false, signal);
  expect(own!.far).toBeCloseTo(0.5, 3);
  expect(own!.near).toBeCloseTo(0.5, 3);
  const shrunk = await calibrate(known, await build(known), false, signal);
  expect(Math.abs(shrunk!.far - MINILM.far)).toBeLessThan(0.1 * Math.abs(own!.far - MINILM.far));
});

test('what is asked of the model is bounded, and never has the heading above its text', async () => {
  const embedder = embedderOf(ANY);
  const subjects = Array.from({ length: 400 }, (_, i) => `subject${i} of pages`);
  const chunks = await build(embedder, subjects);
  embedder.texts.length = 0;
  await calibrate(embedder, chunks, false, signal);
  expect(embedder.texts.length).toBeLessThanOrEqual(60);
  for (const text of embedder.texts) expect(text).not.toContain('of pages');
});

test('without vectors a build is calibrated by words', async () => {
  expect(await calibrate(null, await build(null), false, signal)).toMatchObject({ questions: 7, far: 0, near: 0 });
});

test('an FAQ of three items is hardly told from what is known of its model; with fewer there is nothing to tell', async () => {
  const embedder = embedderOf(MINILM);
  const faq = (await build(embedder, SUBJECTS.slice(0, 3))).map((chunk) => ({ ...chunk, title: chunk.headings![0]! }));
  const { far, near, scale, offset } = (await calibrate(embedder, faq, true, signal))!;
  expect(far).toBeCloseTo(MINILM.far, 1);
  expect(near).toBeCloseTo(MINILM.near, 1);
  expect(scale).toBeCloseTo(1, 1);
  expect(Math.abs(offset)).toBeLessThan(0.1);
  expect(await calibrate(embedder, faq.slice(1), true, signal)).toBeUndefined();
});

test('a build is published without a calibration if the model is unavailable, but a wrong setting is reported', async () => {
  const embedder = embedderOf(ANY);
  const chunks = await build(embedder);
  const failing = (error: Error): Embedder => ({ ...embedder, embedQuery: () => Promise.reject(error) });
  expect(await calibrate(failing(new EmbeddingUnavailable('busy')), chunks, false, signal)).toBeUndefined();
  await expect(calibrate(failing(new Error('a wrong setting')), chunks, false, signal)).rejects.toThrow(
    'a wrong setting',
  );
});
