import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createBuildIndex } from '../search/build-index.ts';
import { searchByWords } from '../search/search.ts';
import { createLocalEmbedder } from './local.ts';

/** The model is part of what is tested; only EMBEDDINGS=none says that a run goes without. */
const withModel = process.env['EMBEDDINGS'] === 'none' ? test.skip : test;

function modelDir(): string {
  const dir = process.env['EMBEDDING_MODEL_DIR'];
  if (!dir)
    throw new Error('These tests need the embedding model: set EMBEDDING_MODEL_DIR, or EMBEDDINGS=none to go without.');
  return dir;
}

const temporary = mkdtempSync(join(tmpdir(), 'parley-model-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

withModel(
  'an answer that shares no word with its question is found and is similar; nothing is to an unrelated question',
  async () => {
    const embedder = createLocalEmbedder({ dir: modelDir() });
    const texts = [
      'Money settings: choose the currency that visitors of your shop see.',
      'You can ask for a full refund within 30 days of the purchase.',
      'Our office is closed on public holidays.',
      'Invoices are sent on the first day of each month.',
    ];
    const vectors = await embedder.embed(texts);
    const index = await createBuildIndex(
      texts.map((text, i) => ({ id: `${i}`, text, title: 'Shop', url: '', vector: vectors[i]! })),
      embedder.model,
    );
    async function ask(text: string) {
      const query = { vector: await embedder.embedQuery(text), weight: embedder.weight };
      return searchByWords([{ knowledgeId: 'k', index }], text).rank(new Map([[embedder.model, query]]), 3);
    }
    const [best] = await ask('How do I get my money back?');
    expect(best).toMatchObject({ chunkId: '1', coverage: 0 });
    expect(best!.similarity).toBeGreaterThan(0.42);
    for (const hit of await ask('What is the capital of Mongolia?')) expect(hit.similarity).toBeLessThan(0.22);
    await embedder.close();
  },
);

withModel('vectors have length 1 and do not depend on what else is in the batch', async () => {
  const embedder = createLocalEmbedder({ dir: modelDir() });
  const long = 'a sentence that goes on and on '.repeat(2000);
  const [alone] = await embedder.embed(['The weather in Lisbon']);
  const [first, second, empty] = await embedder.embed(['The weather in Lisbon', long, '']);
  expect(first).toEqual(alone);
  for (const vector of [first!, second!, empty!]) {
    expect(vector).toHaveLength(384);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
  await embedder.close();
});

withModel('a missing model is named with its setting, and one put in its place is used', async () => {
  const dir = join(temporary, 'model');
  const embedder = createLocalEmbedder({ dir });
  await expect(embedder.embedQuery('anyone?')).rejects.toThrow(/EMBEDDING_MODEL_DIR.*can't be loaded/);
  cpSync(modelDir(), dir, { recursive: true });
  expect(await embedder.embedQuery('anyone?')).toHaveLength(384);
  await embedder.close();
});
