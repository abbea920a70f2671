import { expect, test } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';
import { createLog } from '../log.ts';
import type { Received } from './bus.ts';
import { createHandling } from './handling.ts';
import { type Lane, type Place, workThrough } from './kafka-lane.ts';

const TIMING = { firstRestMs: 1, longestRestMs: 1, maxAttempts: 3 };

const fetched = (...offsets: number[]): KafkaMessage[] =>
  offsets.map((offset) => ({
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    headers: { parley_id: `m${offset}` },
    offset: String(offset),
    timestamp: '0',
    attributes: 0,
  }));

/** A lane whose log has what was told to the group, handled and set aside, in the order of its happening. */
function newLane(handle: (message: Received) => Promise<void> = async () => {}, over: Partial<Lane> = {}) {
  const log: string[] = [];
  const stopping = new AbortController();
  const handling = createHandling(
    {
      topic: 't',
      group: 'g',
      async handle(message) {
        log.push(`handles ${message.id}, attempt ${message.attempt}`);
        await handle(message);
      },
    },
    {
      limitMs: 1_000,
      publish: async (topic, messages) => void log.push(`${messages.map(({ id }) => id)} to ${topic}`),
      log: createLog('test', 'silent'),
    },
  );
  const commit = async ({ offset, attempts }: Place) => void log.push(`tells ${offset}, begun ${attempts}`);
  const { signal } = stopping;
  const lane: Lane = { handling, timing: TIMING, isMember: () => true, commit, stopping: signal, ...over };
  const run = (messages: KafkaMessage[], before?: Place) => workThrough(lane, messages, before);
  return { log, run, stop: () => stopping.abort() };
}

test('messages are handled in order, and told to the group together', async () => {
  const { log, run } = newLane();
  await run(fetched(4, 5, 6));
  expect(log).toEqual(['handles m4, attempt 1', 'handles m5, attempt 1', 'handles m6, attempt 1', 'tells 7, begun 0']);
});

test('the first message of a new owner, and every repetition, is told before it is begun', async () => {
  let failures = 0;
  const { log, run } = newLane(async ({ id }) => {
    if (id === 'm5' && ++failures < 3) throw new TypeError('not yet');
  });
  await run(fetched(4, 5), { offset: '4', attempts: 1 });
  expect(log).toEqual([
    'tells 4, begun 2',
    'handles m4, attempt 2',
    'handles m5, attempt 1',
    'tells 5, begun 2',
    'handles m5, attempt 2',
    'tells 5, begun 3',
    'handles m5, attempt 3',
    'tells 6, begun 0',
  ]);
});

test('a message at which processes died as often as it may be tried is set aside unhandled', async () => {
  const { log, run } = newLane();
  await run(fetched(4, 5), { offset: '4', attempts: 3 });
  expect(log).toEqual(['m4 to t.dead', 'handles m5, attempt 1', 'tells 6, begun 0']);
});

test('what was told of a message that is gone does not count for the next one', async () => {
  const { log, run } = newLane();
  await run(fetched(9), { offset: '4', attempts: 3 });
  expect(log).toEqual(['tells 9, begun 1', 'handles m9, attempt 1', 'tells 10, begun 0']);
});

test('a lane that is to stop finishes its message, tells it, and begins no other', async () => {
  const { log, run, stop } = newLane(async () => stop());
  await run(fetched(4, 5));
  expect(log).toEqual(['handles m4, attempt 1', 'tells 5, begun 0']);
});

test('a lane that is to stop does not wait for the rest after a failure, nor for a group that does not answer', async () => {
  const { log, run, stop } = newLane(
    async () => {
      setImmediate(stop);
      throw new Error('always');
    },
    {
      timing: { ...TIMING, firstRestMs: 60_000, longestRestMs: 60_000 },
      commit: async () => Promise.reject(new Error()),
    },
  );
  await run(fetched(4, 5));
  expect(log).toEqual(['handles m4, attempt 1']);
});

test('nothing is begun while the group may count on another process', async () => {
  let asked = 0;
  const { log, run } = newLane(undefined, { isMember: () => ++asked > 2 });
  await run(fetched(4));
  expect(asked).toBe(3);
  expect(log).toEqual(['handles m4, attempt 1', 'tells 5, begun 0']);
});
