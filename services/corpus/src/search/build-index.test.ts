import { expect, test } from '@jest/globals';
import { createBuildIndex, type IndexedChunk } from './build-index.ts';

async function* stream(chunks: IndexedChunk[]) {
  yield* chunks;
}

const chunks = Array.from({ length: 300 }, (_, i) => ({
  id: `${i}`,
  text: `chunk ${i}`,
  title: 'T',
  url: '/u',
  vector: Float32Array.of(1, 0),
}));

test('a stream and an array give the same index, and its estimate covers texts, vectors and postings', async () => {
  const index = await createBuildIndex(chunks, 'm');
  const { lexical: _, ...streamed } = await createBuildIndex(stream(chunks), 'm');
  expect(index).toMatchObject(streamed);
  expect(index.bytes).toBeGreaterThan(300 * (2 * 'chunk 1'.length + 2 * 4 + 2 * 6));
  expect(index.chunks[7]).toEqual({ id: '7', text: 'chunk 7', title: 'T', url: '/u' });
});

test('other work gets its turn while a large build is indexed', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await createBuildIndex(Array.from({ length: 20 }, () => chunks).flat());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test('without a model the vectors are left out', async () => {
  expect((await createBuildIndex(chunks)).vectors).toBeUndefined();
});
