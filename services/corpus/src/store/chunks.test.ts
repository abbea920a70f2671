import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { all, chunk, corpusWorld } from '../testing.ts';
import { IncompleteBuild, type StoredChunk } from './chunks.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
beforeAll(async () => {
  world = await corpusWorld();
});
afterAll(() => world.close());

async function live(count: number) {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  await world.corpus.builds.open(job, 'm');
  const written = Array.from({ length: count }, (_, i) => chunk(i, `text ${i}`, [i, -i, 0.5]));
  await world.corpus.chunks.insert(job, written);
  // As after a lost answer.
  await world.corpus.chunks.insert(job, written.slice(0, 3));
  await world.corpus.training.publish(job, 'm');
  const item = await world.stored(_id);
  return { account, live: item!.live! };
}

test('a build is read whole, with its vectors, and a batch written twice counts once', async () => {
  const { account, live: build } = await live(10);
  const read = await all(world.corpus.chunks.read(account, build));
  expect(build.chunks).toBe(10);
  const byText = new Map(read.map((c) => [c.text, c]));
  for (let i = 0; i < 10; i++)
    expect(byText.get(`text ${i}`)).toMatchObject({ title: 'Title', vector: Float32Array.of(i, -i, 0.5) });
});

test('a chunk is read with its place in its source, and one of an earlier version without', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  await world.corpus.builds.open(job, null);
  const place = { headings: ['Guide', 'Ports'], section: 3, joint: { repeated: 2, separator: '\n' }, language: 'de' };
  await world.corpus.chunks.insert(job, [chunk(0), { ...chunk(1), ...place }]);
  await world.corpus.training.publish(job, null);
  const read = await all(world.corpus.chunks.read(account, (await world.stored(_id))!.live!));
  const [earlier, later] = read.sort((a, b) => a.index - b.index);
  const fields = { id: expect.any(String), source: '/', title: 'Title', url: 'https://example.com/' };
  expect(earlier).toEqual({ ...fields, index: 0, text: 'text 0' });
  expect(later).toEqual({ ...fields, index: 1, text: 'text 1', ...place });
});

test('a read cut short by a deletion is an error, never a smaller build', async () => {
  const { account, live: build } = await live(3_000);
  const read: StoredChunk[] = [];
  const reading = (async () => {
    for await (const found of world.corpus.chunks.read(account, build)) {
      if (read.push(found) === 1) await world.corpus.collections.chunks.deleteMany({ account });
    }
  })();
  await expect(reading).rejects.toBeInstanceOf(IncompleteBuild);
  expect(read.length).toBeLessThan(3_000);
});

test("another account can't read a build by its id", async () => {
  const { live: build } = await live(1);
  await expect(all(world.corpus.chunks.read(randomId(), build))).rejects.toBeInstanceOf(IncompleteBuild);
});
