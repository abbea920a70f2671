import { expect, test } from '@jest/globals';
import { bytesToLoad, createBuildIndex, type IndexedChunk } from './build-index.ts';

async function* stream(chunks: IndexedChunk[]) {
  yield* chunks;
}

const chunks = Array.from({ length: 300 }, (_, i) => ({
  id: `${i}`,
  source: '/',
  index: i,
  text: `chunk ${i}`,
  title: 'T',
  url: '/u',
  vector: Float32Array.of(1, 0),
}));

test('a stream and an array give the same index, and its estimate covers texts, vectors and postings', async () => {
  const index = await createBuildIndex(chunks, 'm');
  const { lexical: _, chunksOf: __, ...streamed } = await createBuildIndex(stream(chunks), 'm');
  expect(index).toMatchObject(streamed);
  expect(index.bytes).toBeGreaterThan(300 * (2 * 'chunk 1'.length + 2 * 4 + 2 * 6));
  expect(index.chunks[7]).toEqual({ id: '7', source: '/', index: 7, text: 'chunk 7', title: 'T', url: '/u' });
});

test('other work gets its turn while a large build is indexed', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await createBuildIndex(Array.from({ length: 20 }, () => chunks).flat());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test('without a model there are no vectors', async () => {
  expect((await createBuildIndex(chunks)).vectors).toBeUndefined();
});

/** Words repeated as in prose. */
function prose(length: number, seed: number): string {
  let text = '';
  for (let i = seed; text.length < length; i += 7) text += `word${(i * i) % 3_000} `;
  return text.slice(0, length);
}

test.each([
  ['prose', 800, 384],
  ['prose without vectors', 800, 0],
  ['pieces of one word', 5, 384],
])('what loading a build of %s takes is within what was estimated, at every moment', async (_, length, dimension) => {
  const many = Array.from({ length: 3_000 }, (_, i) => ({
    id: `${i}`.padStart(36, '0'),
    source: '/page',
    index: i,
    text: prose(length, i),
    title: 'A title',
    url: 'https://example.com/page',
    ...(dimension && { vector: new Float32Array(dimension) }),
  }));
  const characters = many.reduce((sum, { text, title, url }) => sum + text.length + title.length + url.length, 0);
  const estimate = bytesToLoad({ chunks: many.length, dimension, characters });
  const seen: number[] = [];
  const grown = (bytes: number) => void seen.push(bytes);
  const index = await createBuildIndex(many, dimension ? 'm' : undefined, { expected: many.length, grown });
  expect(seen.length).toBeGreaterThan(10);
  expect(Math.max(...seen)).toBeLessThanOrEqual(estimate);
  expect(index.bytes).toBeLessThanOrEqual(estimate);
  expect(estimate).toBeLessThan(3 * index.bytes);
});

test('a load ends when `grown` throws', async () => {
  const stop = () => {
    throw new Error('too much');
  };
  await expect(createBuildIndex(chunks, undefined, { grown: stop })).rejects.toThrow('too much');
});
