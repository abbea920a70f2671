import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ahead } from './ahead.ts';

const never = new AbortController().signal;

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i;
}

/** Never ends unless aborted. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

async function collected<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
}

test('results come in the order of the items, with at most `limit` in progress', async () => {
  const turns = fc.array(fc.nat(5), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(turns, fc.integer({ min: 1, max: 5 }), async (turnsOf, limit) => {
      let underWay = 0;
      const work = async (i: number) => {
        expect(++underWay).toBeLessThanOrEqual(limit);
        for (let turn = 0; turn < turnsOf[i]!; turn++) await new Promise(setImmediate);
        underWay--;
        return i;
      };
      const results = ahead({ load: () => numbers(turnsOf.length), work, limit, signal: never });
      expect(await collected(results)).toEqual(turnsOf.map((_, i) => i));
    }),
    { numRuns: 50 },
  );
});

test('a result does not wait for the next item', async () => {
  async function* load(signal: AbortSignal) {
    yield 'first';
    await untilAborted(signal);
  }
  const results = ahead({ load, work: async (item) => item, limit: 2, signal: never });
  expect((await results.next()).value).toBe('first');
  await results.return(undefined);
});

test('failing work aborts the loading and the other work, then rejects', async () => {
  const ended: string[] = [];
  let fail = () => {};
  async function* load(signal: AbortSignal) {
    yield* numbers(2);
    fail();
    await untilAborted(signal).finally(() => ended.push('loading'));
  }
  const work = (i: number, signal: AbortSignal) => {
    if (i > 0) return untilAborted(signal).finally(() => ended.push('work'));
    return new Promise<never>((_, reject) => {
      fail = () => reject(new Error('the first failed'));
    });
  };
  await expect(collected(ahead({ load, work, limit: 3, signal: never }))).rejects.toThrow('the first failed');
  expect(ended.sort()).toEqual(['loading', 'work']);
});

test('failing loading aborts the work in progress, then rejects', async () => {
  let ended = false;
  async function* load() {
    yield 'item';
    throw new Error('the site is unavailable');
  }
  const work = (_: string, signal: AbortSignal) =>
    untilAborted(signal).finally(() => {
      ended = true;
    });
  await expect(collected(ahead({ load, work, limit: 3, signal: never }))).rejects.toThrow('the site is unavailable');
  expect(ended).toBe(true);
});

test('a loading failure while the window is full is reported once there is room', async () => {
  async function* load() {
    yield 'item';
    throw new Error('the site is unavailable');
  }
  const work = async (item: string) => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    return item;
  };
  const results = ahead({ load, work, limit: 1, signal: never });
  expect((await results.next()).value).toBe('item');
  await expect(results.next()).rejects.toThrow('the site is unavailable');
});

test('a consumer that stops aborts the work in progress', async () => {
  const ended: number[] = [];
  let begun = 0;
  const work = async (i: number, signal: AbortSignal) => {
    begun++;
    if (i > 0) await untilAborted(signal).finally(() => ended.push(i));
    else while (begun < 3) await new Promise(setImmediate);
    return i;
  };
  for await (const first of ahead({ load: () => numbers(5), work, limit: 3, signal: never })) {
    expect(first).toBe(0);
    break;
  }
  expect(ended).toEqual([1, 2]);
});
