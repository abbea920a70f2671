import { expect, test } from '@jest/globals';
import { unavailable } from '../errors.ts';
import { createLog } from '../log.ts';
import { RETRIED, type Received } from './bus.ts';
import { createHandling } from './handling.ts';
import { type Partition, type PartitionMessage, type Position, workThrough } from './partition.ts';

const TIMING = { firstRestMs: 1, longestRestMs: 1, maxAttempts: 3 };

const fetched = (...offsets: number[]): PartitionMessage[] =>
  offsets.map((offset) => ({
    offset: BigInt(offset),
    received: (attempt) => ({ key: 'k', id: `m${offset}`, value: Buffer.from('v'), headers: {}, attempt }),
  }));

/** A partition whose log records what was committed, handled and dead-lettered, in order. */
function newPartition(handle: (message: Received) => Promise<void> = async () => {}, over: Partial<Partition> = {}) {
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
  const commit = async ({ offset, attempts }: Position) => log.push(`commits ${offset}, begun ${attempts}`) > 0;
  const { signal } = stopping;
  const partition: Partition = {
    handling,
    timing: TIMING,
    mayBegin: async () => true,
    commit,
    stopping: signal,
    ...over,
  };
  const run = (messages: PartitionMessage[], before?: number) => workThrough(partition, messages, before);
  return { log, run, stop: () => stopping.abort() };
}

test('messages are handled in order, and committed together', async () => {
  const { log, run } = newPartition();
  await run(fetched(4, 5, 6));
  expect(log).toEqual([
    'handles m4, attempt 1',
    'handles m5, attempt 1',
    'handles m6, attempt 1',
    'commits 7, begun 0',
  ]);
});

test('the first message of a new owner, and every retry, is committed before it starts', async () => {
  let failures = 0;
  const { log, run } = newPartition(async ({ id }) => {
    if (id === 'm5' && ++failures < 3) throw new TypeError('not yet');
  });
  await run(fetched(4, 5), 1);
  expect(log).toEqual([
    'commits 4, begun 2',
    'handles m4, attempt 2',
    'commits 5, begun 1',
    'handles m5, attempt 1',
    'commits 5, begun 2',
    'handles m5, attempt 2',
    'commits 5, begun 3',
    'handles m5, attempt 3',
    'commits 6, begun 0',
  ]);
});

test('a message whose processes died as often as it may be tried is dead-lettered unhandled', async () => {
  const { log, run } = newPartition();
  await run(fetched(4, 5), 3);
  expect(log).toEqual(['m4 to t.dead', 'commits 5, begun 1', 'handles m5, attempt 1', 'commits 6, begun 0']);
});

test('a dead message that is tried again holds up those behind it for three attempts', async () => {
  const always = async () => {
    throw new TypeError('still wrong');
  };
  const { log, run } = newPartition(always, { timing: { ...TIMING, maxAttempts: 12 } });
  const retried = fetched(4).map(({ offset, received }) => ({
    offset,
    received: (attempt: number) => ({ ...received(attempt), headers: { [RETRIED]: 'true' } }),
  }));
  await run(retried);
  const begun = [1, 2, 3].map((attempt) => `handles m4, attempt ${attempt}`);
  expect(log.filter((line) => !line.startsWith('commits'))).toEqual([...begun, 'm4 to t.dead']);
});

test('each message that may have killed the last owner is committed before it starts', async () => {
  // It took over at m4, and died before its next commit: perhaps at m4, perhaps at m5.
  const { log, run } = newPartition();
  await run(fetched(4, 5), 1);
  expect(log).toEqual([
    'commits 4, begun 2',
    'handles m4, attempt 2',
    'commits 5, begun 1',
    'handles m5, attempt 1',
    'commits 6, begun 0',
  ]);
});

test('a failure because something is unavailable is not an attempt, and is taken back', async () => {
  let failures = 0;
  const { log, run } = newPartition(async () => {
    if (++failures < 6) throw unavailable('The database is unavailable.');
  });
  await run(fetched(4));
  expect(log.filter((line) => line.startsWith('handles'))).toEqual(Array(6).fill('handles m4, attempt 1'));
  expect(log).not.toContain('m4 to t.dead');
  expect(log.slice(-4)).toEqual([
    'commits 4, begun 0',
    'commits 4, begun 1',
    'handles m4, attempt 1',
    'commits 5, begun 0',
  ]);
});

test('a handler that fails while its partition stops has not made an attempt', async () => {
  const { log, run, stop } = newPartition(async () => {
    stop();
    throw new Error('its connections were closed');
  });
  await run(fetched(4), 2);
  expect(log).toEqual(['commits 4, begun 3', 'handles m4, attempt 3', 'commits 4, begun 2']);
});

test('a stopping partition finishes its message, commits it, and starts no other', async () => {
  const { log, run, stop } = newPartition(async () => stop());
  await run(fetched(4, 5));
  expect(log).toEqual(['handles m4, attempt 1', 'commits 5, begun 0']);
});

test('a stopping partition waits neither for the pause after a failure nor for a group that does not answer', async () => {
  const { log, run, stop } = newPartition(
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

test('nothing starts while another process may own the partition', async () => {
  let asked = 0;
  const mayBegin = async () => {
    if (++asked < 3) throw new Error('not known');
    return true;
  };
  const { log, run } = newPartition(undefined, { mayBegin });
  expect(await run(fetched(4))).toBe(true);
  expect(asked).toBe(3);
  expect(log).toEqual(['handles m4, attempt 1', 'commits 5, begun 0']);
});

test('a partition that was lost is left alone', async () => {
  const { log, run } = newPartition(async () => {}, { commit: async () => false });
  expect(await run(fetched(4, 5), 0)).toBe(false);
  expect(log).toEqual([]);
});
