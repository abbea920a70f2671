import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { TrainingJob } from '@parley/corpus';
import { createSlots } from './slots.ts';

/** A queue of the accounts with waiting jobs, in order. */
function queueOf(...accounts: string[]) {
  return {
    async claim(except: readonly string[] = []) {
      await setImmediate();
      const next = accounts.findIndex((account) => !except.includes(account));
      return next < 0 ? undefined : ({ account: accounts.splice(next, 1)[0] } as TrainingJob);
    },
  };
}

const accountsOf = (jobs: (TrainingJob | undefined)[]) => jobs.map((job) => job?.account);

test('one account never holds all slots of a trainer, even if all of them claim at once', async () => {
  const slots = createSlots(queueOf('a', 'a', 'a', 'a', 'b'), 3);
  const claimed = await Promise.all([slots.claim(), slots.claim(), slots.claim()]);
  expect(accountsOf(claimed)).toEqual(['a', 'a', 'b']);
});

test('an account can use a slot again after releasing it', async () => {
  const slots = createSlots(queueOf('a', 'a'), 2);
  const first = await slots.claim();
  expect(await slots.claim()).toBeUndefined();
  slots.release(first!);
  expect(accountsOf([await slots.claim()])).toEqual(['a']);
});

test('the only slot of a trainer is open to every account', async () => {
  const slots = createSlots(queueOf('a', 'a'), 1);
  slots.release((await slots.claim())!);
  expect(accountsOf([await slots.claim()])).toEqual(['a']);
});

test('a failed claim does not block the next one', async () => {
  const queue = queueOf('a');
  let fails = true;
  const claim = (except?: readonly string[]) =>
    fails ? Promise.reject(new Error('unavailable')) : queue.claim(except);
  const slots = createSlots({ claim }, 2);
  await expect(slots.claim()).rejects.toThrow('unavailable');
  fails = false;
  expect(accountsOf([await slots.claim()])).toEqual(['a']);
});
