import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBuildIndex } from './build-index.ts';
import { createBuildCache, type LoadBuild, MemoryExceeded } from './cache.ts';

const build = await createBuildIndex([{ id: 'c', source: '/', index: 0, text: 'text', title: '', url: '' }]);
const ofSize = (bytes: number) => ({ ...build, bytes });

/** A cache that keeps this many builds of equal size, and holds as many more in use. */
function cacheOf(builds: number, load: (id: string) => Promise<typeof build> = async () => build) {
  const loads: string[] = [];
  const cache = createBuildCache({ keepBytes: builds * build.bytes, maxBytes: 100 * build.bytes });
  /** What a search does: reserves, loads, ends. */
  const get = async (id: string) => {
    using lease = cache.lease([{ account: 'acme', build: id, bytes: build.bytes }]);
    return await lease.get({ account: 'acme', build: id, bytes: build.bytes }, () => {
      loads.push(id);
      return load(id);
    });
  };
  return { cache, get, loads };
}

test('the least recently used build is evicted, and memory stays within the limit', async () => {
  const { cache, get, loads } = cacheOf(2);
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await get(id);
  expect(loads).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.bytes).toBe(2 * build.bytes);
});

test('concurrent requests for a build share one load', async () => {
  const { get, loads } = cacheOf(2);
  const found = await Promise.all([get('a'), get('a'), get('b')]);
  expect(found).toEqual([build, build, build]);
  expect(loads).toEqual(['a', 'b']);
});

test('a failed load is not cached, and its memory is released', async () => {
  let fails = true;
  const { cache, get, loads } = cacheOf(2, async () => {
    if (fails) throw new Error('unavailable');
    return build;
  });
  await expect(get('a')).rejects.toThrow('unavailable');
  expect(cache.bytes).toBe(0);
  fails = false;
  expect(await get('a')).toBe(build);
  expect(loads).toEqual(['a', 'a']);
});

test('a build larger than the limit is returned but not kept, and evicts nothing', async () => {
  const large = ofSize(10 * build.bytes);
  const { get, loads } = cacheOf(2, async (id) => (id === 'large' ? large : build));
  await get('a');
  expect(await get('large')).toBe(large);
  await get('a');
  expect(loads).toEqual(['a', 'large']);
});

const never: LoadBuild = () => new Promise(() => {});
const needed = (sizes: Record<string, number>) =>
  Object.entries(sizes).map(([build, bytes]) => ({ account: 'acme', build, bytes }));

test('the memory of a search is counted before anything is loaded, and too much is refused', () => {
  const cache = createBuildCache({ keepBytes: 50, maxBytes: 100 });
  const refused = () => cache.lease(needed({ a: 60, b: 41 }));
  expect(refused).toThrow(MemoryExceeded);
  expect(refused).toThrow(expect.objectContaining({ alone: true, bytes: 101, maxBytes: 100 }));
  expect(cache.bytes).toBe(0);
  cache.lease(needed({ a: 60, b: 40 }));
  expect(cache.bytes).toBe(100);
});

test('loads in progress of other searches count, a build that both want counts once, and their end frees memory', () => {
  const cache = createBuildCache({ keepBytes: 50, maxBytes: 100 });
  const first = cache.lease(needed({ a: 60 }));
  const refused = () => cache.lease(needed({ a: 60, b: 41 }));
  expect(refused).toThrow(expect.objectContaining({ alone: true }));
  expect(() => cache.lease(needed({ b: 41 }))).toThrow(expect.objectContaining({ alone: false, bytes: 41 }));
  cache.lease(needed({ a: 60, c: 40 }))[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(cache.lease(needed({ b: 41 }))).toBeDefined();
});

test('a load that nobody waits for any more counts until it has ended', async () => {
  const cache = createBuildCache({ keepBytes: 100, maxBytes: 100 });
  let end = (_: typeof build) => {};
  const lease = cache.lease(needed({ a: 60 }));
  const load = lease.get({ account: 'acme', build: 'a', bytes: 60 }, () => new Promise((resolve) => (end = resolve)));
  lease[Symbol.dispose]();
  expect(() => cache.lease(needed({ b: 60 }))).toThrow(MemoryExceeded);
  end(ofSize(30));
  await load;
  expect(cache.bytes).toBe(30);
  expect(cache.lease(needed({ b: 60 }))).toBeDefined();
});

test('kept builds are evicted for a search, but builds in use are not', async () => {
  const cache = createBuildCache({ keepBytes: 100, maxBytes: 100 });
  for (const id of ['a', 'b']) {
    using lease = cache.lease(needed({ [id]: 40 }));
    await lease.get({ account: 'acme', build: id, bytes: 40 }, async () => ofSize(40));
  }
  expect(cache.bytes).toBe(80);
  const using = cache.lease(needed({ b: 40 }));
  expect(() => cache.lease(needed({ c: 61 }))).toThrow(MemoryExceeded);
  expect(cache.bytes).toBe(80);
  cache.lease(needed({ c: 60 }));
  expect(cache.bytes).toBe(100);
  using[Symbol.dispose]();
});

test('a load that exceeds its estimate reserves more, and fails if there is no more', async () => {
  const cache = createBuildCache({ keepBytes: 100, maxBytes: 100 });
  using lease = cache.lease(needed({ a: 10, b: 10, c: 50 }));
  const grows =
    (to: number): LoadBuild =>
    async (grown) => {
      grown(to);
      return ofSize(to);
    };
  expect(await lease.get({ account: 'acme', build: 'a', bytes: 10 }, grows(40))).toMatchObject({ bytes: 40 });
  await expect(lease.get({ account: 'acme', build: 'b', bytes: 10 }, grows(11))).rejects.toMatchObject({
    alone: false,
  });
  await expect(lease.get({ account: 'acme', build: 'b', bytes: 10 }, grows(101))).rejects.toMatchObject({
    alone: true,
  });
});

test('a build that was not reserved is refused if it does not fit, and a search that has ended gets none', async () => {
  const cache = createBuildCache({ keepBytes: 100, maxBytes: 100 });
  const lease = cache.lease(needed({ a: 60 }));
  await expect(lease.get({ account: 'acme', build: 'b', bytes: 41 }, never)).rejects.toBeInstanceOf(MemoryExceeded);
  expect(await lease.get({ account: 'acme', build: 'b', bytes: 40 }, async () => ofSize(40))).toBeDefined();
  lease[Symbol.dispose]();
  await expect(lease.get({ account: 'acme', build: 'c', bytes: 1 }, never)).rejects.toThrow('has ended');
  expect(cache.bytes).toBe(40);
});

test('whichever searches come and go, memory stays within its limit, and only kept builds remain', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const search = fc.record({
    ids: fc.uniqueArray(id, { maxLength: 4 }),
    fails: fc.boolean(),
    held: fc.nat({ max: 3 }),
  });
  const sizes: Record<string, number> = { a: 10, b: 20, c: 30, d: 45, e: 60 };
  await fc.assert(
    fc.asyncProperty(fc.array(search, { maxLength: 30 }), async (searches) => {
      const cache = createBuildCache({ keepBytes: 50, maxBytes: 100 });
      const open: Disposable[] = [];
      for (const { ids, fails, held } of searches) {
        while (open.length > held) open.shift()![Symbol.dispose]();
        try {
          const all = ids.map((build) => ({ account: 'acme', build, bytes: sizes[build]! + 5 }));
          const lease = cache.lease(all);
          open.push(lease);
          const load: (build: string) => LoadBuild = (build) => async () => {
            if (fails) throw new Error('no');
            return ofSize(sizes[build]!);
          };
          await Promise.allSettled(all.map((need) => lease.get(need, load(need.build))));
        } catch (error) {
          expect(error).toBeInstanceOf(MemoryExceeded);
        }
        expect(cache.bytes).toBeLessThanOrEqual(100);
      }
      for (const lease of open) lease[Symbol.dispose]();
      expect(cache.bytes).toBeLessThanOrEqual(50);
    }),
  );
});

test('the builds of a forgotten account go at once, or when the last search that uses them ends', async () => {
  const { cache, get, loads } = cacheOf(5);
  await get('kept');
  const other = { account: 'rival', build: 'other', bytes: build.bytes };
  using rival = cache.lease([other]);
  await rival.get(other, async () => build);
  const needed = { account: 'acme', build: 'used', bytes: build.bytes };
  const lease = cache.lease([needed]);
  await lease.get(needed, async () => build);
  cache.forget('acme');
  expect(cache.bytes).toBe(2 * build.bytes);
  lease[Symbol.dispose]();
  expect(cache.bytes).toBe(build.bytes);
  await get('kept');
  expect(loads).toEqual(['kept', 'kept']);
});
