import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { unavailable } from './errors.ts';
import { createLog } from './log.ts';
import { createLoop } from './loop.ts';
import { heapGrowth, until } from './testing/index.ts';

const log = createLog('test', 'silent');

test('thousands of rests leave nothing on the heap', async () => {
  let left = 0;
  let done = () => {};
  const loop = createLoop({
    name: 'tireless',
    restMs: 60_000,
    log,
    async round() {
      // After the end of this round: the loop is resting by then.
      if (left-- > 0) setImmediate(() => loop.wake());
      else done();
    },
  });
  const rests = (times: number) =>
    new Promise<void>((resolve) => {
      done = resolve;
      left = times;
      loop.wake();
    });
  await loop.start();
  expect(await heapGrowth(8_000, rests)).toBeLessThan(2 ** 19);
  await loop.stop();
}, 300_000);

test('a resting loop wakes up at once, and stops at once', async () => {
  let rounds = 0;
  const loop = createLoop({ name: 'sleeper', restMs: 3_600_000, log, round: async () => ++rounds });
  await loop.start();
  await until(() => rounds === 1);
  loop.wake();
  await until(() => rounds === 2);
  await loop.stop();
  expect(rounds).toBe(2);
});

test('a wake-up during a round is not lost: the next round follows without a rest', async () => {
  let rounds = 0;
  const loop = createLoop({
    name: 'busy',
    restMs: 3_600_000,
    log,
    async round() {
      if (++rounds === 1) loop.wake();
    },
  });
  await loop.start();
  await until(() => rounds === 2);
  await loop.stop();
});

test.each<[string, string, Error]>([
  ['warn', 'a service that is unavailable', unavailable('x')],
  ['warn', 'a database that is unavailable', new MongoNetworkError('x')],
  ['error', 'a fault of our own', new TypeError('x')],
])('a failed round is logged at %s for %s, and the loop goes on', async (level, _, error) => {
  const levels: string[] = [];
  const destination = new Writable({
    write: (line, _encoding, done) => done(void levels.push(JSON.parse(line).level)),
  });
  let rounds = 0;
  const loop = createLoop({
    name: 'failing',
    restMs: 1,
    log: createLog('test', 'info', 'json', destination),
    async round() {
      if (++rounds === 1) throw error;
    },
  });
  await loop.start();
  await until(() => rounds > 1);
  await loop.stop();
  expect(levels).toEqual([level]);
});
