import { setMaxListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { gate, until } from '@parley/runtime/testing';
import type { JobMessage } from './jobs.ts';
import { createProcessPool } from './process-pool.ts';
import type { ReaderProcess } from './reader-process.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const job = (input: string): JobMessage => ({ name: 'split', input });

/** A pool whose jobs begin in the order of `begun`, and end once the gate opens. */
function poolOf(size: number) {
  const begun: unknown[] = [];
  const { open, opened } = gate();
  let started = 0;
  let killed = 0;
  const start = (): ReaderProcess => {
    started++;
    return {
      pid: undefined,
      isAlive: true,
      async run({ input }) {
        begun.push(input);
        await opened;
      },
      async pass() {},
      async kill() {
        killed++;
      },
    };
  };
  const pool = createProcessPool({ size, timeoutMs: 1_000, idleMs: 10, killOnAbort: true, start });
  return { pool, begun, open, processes: () => ({ started, killed }) };
}

test('owners take turns, however many jobs one of them submits', async () => {
  const { pool, begun, open } = poolOf(1);
  const [a, b, c] = [{}, {}, {}];
  const jobs = ['a1', 'a2', 'a3'].map((name) => pool.run(a, job(name), never));
  jobs.push(...['b1', 'b2'].map((name) => pool.run(b, job(name), never)), pool.run(c, job('c1'), never));
  open();
  await Promise.all(jobs);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('an owner with a busy process gets another one only if no other owner is waiting', async () => {
  const { pool, begun, open } = poolOf(2);
  const [a, b] = [{}, {}];
  const jobs = ['a1', 'a2', 'a3'].map((name) => pool.run(a, job(name), never));
  jobs.push(pool.run(b, job('b1'), never));
  expect(begun).toEqual(['a1', 'a2']);
  open();
  await Promise.all(jobs);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('who asks under one name is one owner', async () => {
  const { pool, begun, open } = poolOf(1);
  const nameOf = (...letters: string[]) => letters.join('');
  const jobs = ['a1', 'a2', 'a3'].map((name) => pool.run(nameOf('a', 'b'), job(name), never));
  jobs.push(pool.run(nameOf('c'), job('c1'), never));
  open();
  await Promise.all(jobs);
  expect(begun).toEqual(['a1', 'a2', 'c1', 'a3']);
});

test('the number of waiting jobs of an owner is bounded', async () => {
  const { pool, open } = poolOf(1);
  const owner = {};
  const jobs = Array.from({ length: 65 }, () => pool.run(owner, job('x'), never));
  await expect(pool.run(owner, job('one more'), never)).rejects.toThrow('Too much of this is being read');
  open();
  await Promise.all(jobs);
});

test('an idle process is reused, and ended after a while', async () => {
  const { pool, open, processes } = poolOf(1);
  open();
  await pool.run({}, job('first'), never);
  await pool.run({}, job('second'), never);
  expect(processes().started).toBe(1);
  await until(() => processes().killed === 1);
});
