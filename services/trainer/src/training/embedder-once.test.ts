import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Embedder, embeddingTokens } from '@parley/corpus';
import { corpusWorld } from '@parley/corpus/testing';
import { createLog } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import { embedderOnce } from './embedder-once.ts';
import { afterFirst } from './first-steps.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
beforeAll(async () => {
  world = await corpusWorld();
});
afterAll(() => world.close());

const named = (model: string) => ({ model }) as Embedder;
const embedders = {
  name: 'embedders',
  current: named('english'),
  forLanguage: (language: string | undefined) => named(language === undefined ? 'english' : language),
  byModel: () => undefined,
  models: [],
};
const source = (text: string) => ({ id: text, title: '', url: '', text });

async function begin() {
  const { _id } = await world.website('a');
  const job = await world.begin('a', _id);
  await world.corpus.builds.open(job, null);
  const tokens = embeddingTokens(world.db, Infinity, createLog('test', 'silent'));
  return { job, chosen: embedderOnce({ embedders, tokens, corpus: world.corpus }, job) };
}

test('the first texts of a build choose its model, which is recorded before anything is embedded', async () => {
  const { job, chosen } = await begin();
  expect(await chosen.for([])).toBeNull();
  expect(await chosen.for([source('  ')])).toBeNull();
  expect(await chosen.embedder).toBeNull();
  const [german, english] = await Promise.all([
    chosen.for([source('Wie kann ich ein Paket installieren?')]),
    chosen.for([source('How do I install a package?')]),
  ]);
  expect(german).toEqual(english);
  expect(german!.model).toBe('de');
  expect(await world.corpus.collections.builds.findOne({ _id: job.build })).toMatchObject({ model: 'de' });
});

test('a build that was taken away gets no model', async () => {
  const { job, chosen } = await begin();
  await world.corpus.collections.builds.updateOne({ _id: job.build }, { $set: { retired_at: new Date() } });
  await expect(chosen.for([source('text')])).rejects.toBeInstanceOf(LeaseLost);
});

test('a short notice in English does not choose the model of texts in another language', async () => {
  const { chosen } = await begin();
  const notice = 'Permission is granted to copy this document as long as it is not changed.';
  const page = 'Ein Paket wird mit dem folgenden Befehl installiert, und danach ist das Programm sofort da. '.repeat(3);
  const [first, second] = [source(notice), source(page)].map((text) => ({ sources: [text], found: 2 }));
  const steps = afterFirst(each([first!, second!]), chosen.for);
  expect(await all(steps)).toEqual([first, second]);
  expect((await chosen.embedder)!.model).toBe('de');
});

test('steps are held back until their text is enough, but not more of them than that', async () => {
  const read: number[] = [];
  const steps = Array.from({ length: 20 }, (_, i) => ({
    sources: [source('x'.repeat(i === 1 ? 9_000 : 1))],
    found: 20,
  }));
  const kept = afterFirst(each(steps), async (sources) => read.push(sources.length));
  expect(await all(kept)).toEqual(steps);
  const short = afterFirst(each(steps.slice(2)), async (sources) => read.push(sources.length));
  expect(await all(short)).toEqual(steps.slice(2));
  expect(read).toEqual([2, 8]);
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
