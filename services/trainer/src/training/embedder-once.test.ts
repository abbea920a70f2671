import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Embedder } from '@parley/corpus';
import { corpusWorld } from '@parley/corpus/testing';
import { LeaseLost } from '@parley/runtime/mongo';
import { embedderOnce } from './embedder-once.ts';

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
  return { job, chosen: embedderOnce({ embedders, corpus: world.corpus }, job) };
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
