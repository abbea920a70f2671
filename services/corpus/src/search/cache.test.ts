import { expect, test } from '@jest/globals';
import { createBuildIndex } from './build-index.ts';
import { createBuildCache } from './cache.ts';

const build = await createBuildIndex([{ id: 'c', text: 'text', title: '', url: '' }]);

function cacheOf(builds: number, load: (id: string) => Promise<typeof build> = async () => build) {
  const loads: string[] = [];
  const cache = createBuildCache({ maxBytes: builds * build.bytes });
  const get = (id: string) =>
    cache.get(id, () => {
      loads.push(id);
      return load(id);
    });
  return { cache, get, loads };
}

test('the build used longest ago makes room, and the bytes stay within the limit', async () => {
  const { cache, get, loads } = cacheOf(2);
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await get(id);
  expect(loads).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.bytes).toBe(2 * build.bytes);
});

test('whoever asks while a build is loaded shares the load', async () => {
  const { get, loads } = cacheOf(2);
  const found = await Promise.all([get('a'), get('a'), get('b')]);
  expect(found).toEqual([build, build, build]);
  expect(loads).toEqual(['a', 'b']);
});

test('a failed load is not remembered', async () => {
  let away = true;
  const { get, loads } = cacheOf(2, async () => {
    if (away) throw new Error('away');
    return build;
  });
  await expect(get('a')).rejects.toThrow('away');
  away = false;
  expect(await get('a')).toBe(build);
  expect(loads).toEqual(['a', 'a']);
});

test('a build larger than the cache is handed out, not kept, and evicts nothing', async () => {
  const large = { ...build, bytes: 10 * build.bytes };
  const { get, loads } = cacheOf(2, async (id) => (id === 'large' ? large : build));
  await get('a');
  expect(await get('large')).toBe(large);
  await get('a');
  expect(loads).toEqual(['a', 'large']);
});
