import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../telemetry/metrics.ts';
import { until } from '../testing/until.ts';
import { type ObjectStore, storeAway } from './objects.ts';
import { openStore } from './testing/open-directory.ts';
import { watchingWrites } from './watch-writes.ts';

test('a store that is full is down until it has room again, although nobody writes to it, and the probe leaves no file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-objects-'));
  const directory = await openStore(dir);
  let isFull = true;
  const put: ObjectStore['put'] = async (...args) => {
    if (isFull) throw storeAway(new Error('ENOSPC'));
    return directory.put(...args);
  };
  const metrics = createMetrics();
  const store = watchingWrites({ ...directory, put }, metrics, { firstPauseMs: 1, longestPauseMs: 4 });
  const isUp = async (up: 0 | 1) =>
    (await metrics.scrape()).text.includes(`parley_dependency_up{dependency="object store writes"} ${up}`);
  try {
    await expect(store.put('accounts/a/b.bin', Buffer.from('x'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await isUp(0)).toBe(true);
    isFull = false;
    await until(() => isUp(1));
  } finally {
    await store.stop?.();
  }
  expect(await readdir(dir, { recursive: true })).toEqual(['.unfinished']);
  await rm(dir, { recursive: true });
});
