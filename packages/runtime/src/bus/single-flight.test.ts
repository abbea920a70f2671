import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { BusMessage } from './bus.ts';
import { singleFlight } from './single-flight.ts';

const message = (id: string, bytes = 1): BusMessage => ({ key: 'k', id, value: Buffer.alloc(bytes) });

test('one batch is written at a time, and calls made meanwhile are gathered in order', async () => {
  const batches: string[][] = [];
  let writing = 0;
  const publish = singleFlight(async (batch) => {
    expect(++writing).toBe(1);
    batches.push(batch.map(({ id }) => id));
    await turn();
    writing--;
  });
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => publish([message(id)])));
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
});

test('a failed write rejects the calls of its batch, and the next batch is written', async () => {
  let fails = true;
  const publish = singleFlight(async () => {
    await turn();
    if (fails) throw new Error('the database is unavailable');
  });
  await expect(publish([message('a')])).rejects.toThrow('unavailable');
  fails = false;
  await publish([message('b')]);
});

test('what waits is limited in number and in bytes', async () => {
  const publish = singleFlight(async () => turn());
  const full = { code: 'resource_exhausted' };
  const underWay = publish([message('a')]);
  const large = publish([message('b', 63_000_000)]);
  await expect(publish([message('c', 2_000_000)])).rejects.toMatchObject(full);
  await expect(publish(Array.from({ length: 20_001 }, () => message('d')))).rejects.toMatchObject(full);
  await Promise.all([underWay, large]);
  await publish([message('e', 2_000_000)]);
});

test('a caller waits for a limited time, and what has not begun by then is never written', async () => {
  const written: string[] = [];
  let land = () => {};
  const publish = singleFlight(async (batch) => {
    written.push(...batch.map(({ id }) => id));
    await new Promise<void>((resolve) => {
      land = resolve;
    });
  }, 20);
  const late = { code: 'unavailable' };
  const underWay = publish([message('a')]);
  const queued = publish([message('b')]);
  await expect(underWay).rejects.toMatchObject(late);
  await expect(queued).rejects.toMatchObject(late);
  const next = publish([message('c')]);
  land();
  await turn();
  land();
  await next;
  expect(written).toEqual(['a', 'c']);
});
