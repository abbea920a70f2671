import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { localEngine } from '../search/engine.ts';
import { memoryBuild } from '../search/memory-build.ts';
import { search } from '../search/search.ts';
import { createLocalEmbedder } from './local.ts';
import { readModelDirectory } from './model-directory.ts';

/** The model is part of the test; only EMBEDDINGS=none skips it. */
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
  'an answer that shares no word with its question is found and is similar; an unrelated question finds nothing similar',
  async () => {
    const embedder = createLocalEmbedder({ dir: modelDir(), setting: 'EMBEDDING_MODEL_DIR' });
    const texts = [
      'Money settings: choose the currency that visitors of your shop see.',
      'You can ask for a full refund within 30 days of the purchase.',
      'Our office is closed on public holidays.',
      'Invoices are sent on the first day of each month.',
    ];
    const vectors = await embedder.embed(texts);
    const index = memoryBuild(
      texts.map((text, i) => ({
        id: `${i}`,
        source: `${i}`,
        index: 0,
        text,
        title: 'Shop',
        url: '',
        vector: vectors[i]!,
      })),
      embedder.model,
    );
    async function ask(text: string) {
      const query = {
        vector: await embedder.embedQuery(text),
        prior: embedder.prior,
      };
      const asked = new Map([[embedder.model, query]]);
      return (await search(localEngine(), [{ knowledgeId: 'k', index }], text, asked)).found;
    }
    const [best] = await ask('How do I get my money back?');
    expect(best).toMatchObject({ passage: { source: '1' } });
    expect(best!.cosine).toBeGreaterThan(0.42);
    for (const hit of await ask('What is the capital of Mongolia?')) expect(hit.cosine).toBeLessThan(0.22);
    await embedder.close();
  },
);

withModel(
  'a single sentence that says just that, on a page about other things, is evidence; the page alone is not',
  async () => {
    const embedder = createLocalEmbedder({ dir: modelDir(), setting: 'EMBEDDING_MODEL_DIR' });
    const others = [
      'The server listens on port 8080. Set PORT to choose another one. A proxy in front of it must pass on the address.',
      'Logs are written to standard error, a line of JSON each. Set LOG_LEVEL to debug to see every request.',
      'Uploads are kept in the files folder. Back up the database together with it, and test the backup.',
      'Websites are crawled page by page. Their robots file is respected, and so is its delay.',
      'Keys are shown once, when they are created. Each has scopes that limit what it may do.',
      'A chatbot answers from the knowledge that is attached to it, and names its sources.',
    ];
    const page =
      'Everything is kept in one data folder. Move it to another disk while the program is stopped, and tell it where it is. ' +
      'The folder is locked while it is in use. To start over from nothing, remove that folder. ' +
      'The cache beside it holds the model, which several installations share.';
    const texts = [page, page.replace(/To start over[^.]*\. /, ''), ...others];
    const vectors = await embedder.embed(texts.map((text) => `Manual\n\n${text}`));
    async function evidence(question: string, chosen: number[]) {
      const chunks = chosen.map((i) => ({
        ...{ id: `${i}`, source: `${i}`, index: 0, text: texts[i]!, title: 'Manual', url: '', headings: [] },
        vector: vectors[i]!,
      }));
      const index = memoryBuild(chunks, embedder.model);
      const query = {
        vector: await embedder.embedQuery(question),
        ...{ prior: embedder.prior },
      };
      const asked = new Map([[embedder.model, query]]);
      const { found } = await search(localEngine(), [{ knowledgeId: 'k', index }], question, asked);
      const hits = found.slice(0, 6);
      return Math.max(...hits.map(({ evidence }) => evidence));
    }
    const rest = others.map((_, i) => i + 2);
    const said = await evidence('How do I start over from nothing?', [0, ...rest]);
    expect(said).toBeGreaterThan(2 * (await evidence('How do I start over from nothing?', [1, ...rest])));
    expect(said).toBeGreaterThan(4 * (await evidence('How do I connect Slack?', [0, ...rest])));
    expect(await evidence('What is the capital of Mongolia?', [0, ...rest])).toBeLessThan(0.02);
    await embedder.close();
  },
);

withModel('vectors have length 1 and do not depend on what else is in the batch', async () => {
  const embedder = createLocalEmbedder({ dir: modelDir(), setting: 'EMBEDDING_MODEL_DIR' });
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

withModel('the runtime of the model keeps no record of its use, and reports to nobody', async () => {
  const home = mkdtempSync(join(temporary, 'home-'));
  const { onnx, tokenizer, maxTokens, pooling } = readModelDirectory(modelDir());
  const child = fork(
    new URL('./local-process.ts', import.meta.url),
    [JSON.stringify({ onnx, tokenizer, maxTokens, pooling })],
    { env: { HOME: home }, execArgv: [], serialization: 'advanced' },
  );
  expect((await once(child, 'message'))[0]).toBe('ready');
  child.send('The weather in Lisbon');
  await once(child, 'message');
  child.disconnect();
  await once(child, 'exit');
  // What it reports waits in a database there.
  expect(readdirSync(home)).toEqual([]);
});

withModel('a directory of the same model is the same model, wherever it is', () => {
  const dir = join(temporary, 'model');
  cpSync(modelDir(), dir, { recursive: true });
  const { model } = createLocalEmbedder({ dir, setting: 'EMBEDDING_MODEL_DIR' });
  expect(model).toBe('minilm-l6-v2-int8');
});
