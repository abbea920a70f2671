import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { TrainingJob } from '@parley/corpus';
import { corpusWorld, published } from '@parley/corpus/testing';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { createSlots } from './slots.ts';

const jobOf = (account: string, attempts = 1) => ({ account, document: { training: { attempts } } }) as TrainingJob;

/** A queue of the accounts with waiting jobs, in order. */
function queueOf(...accounts: string[]) {
  return {
    needsRoom: async () => false,
    async claim({ except = [] }: { except?: readonly string[] } = {}) {
      await setImmediate();
      const next = accounts.findIndex((account) => !except.includes(account));
      return next < 0 ? undefined : jobOf(accounts.splice(next, 1)[0]!);
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
  const claim = () => (fails ? Promise.reject(new Error('unavailable')) : queue.claim());
  const slots = createSlots({ ...queue, claim }, 2);
  await expect(slots.claim()).rejects.toThrow('unavailable');
  fails = false;
  expect(accountsOf([await slots.claim()])).toEqual(['a']);
});

test('a training that has to be alone is, and nothing else begins meanwhile', async () => {
  const jobs = [jobOf('a', 2), jobOf('b')];
  const wanted: unknown[] = [];
  const slots = createSlots(
    {
      needsRoom: async () => false,
      async claim(wants) {
        wanted.push(wants);
        return jobs.shift();
      },
    },
    3,
  );
  const leave = await slots.enter();
  leave!();
  const alone = await slots.claim();
  expect([await slots.claim(), await slots.enter()]).toEqual([undefined, undefined]);
  slots.release(alone!);
  const other = await slots.claim();
  expect(other?.account).toBe('b');
  await slots.claim();
  expect(wanted).toMatchObject([{ inCompany: false }, { inCompany: false }, { inCompany: true }]);
});

test('a trainer begins nothing once a training has waited for too long to be alone, until it is', async () => {
  let overdue = true;
  const jobs = [jobOf('a'), jobOf('b', 2), jobOf('c')];
  const slots = createSlots({ needsRoom: async () => overdue, claim: async () => jobs.shift() }, 2);
  const first = await slots.claim();
  expect([await slots.claim(), await slots.enter()]).toEqual([undefined, undefined]);
  slots.release(first!);
  const alone = await slots.claim();
  expect(alone?.account).toBe('b');
  overdue = false;
  slots.release(alone!);
  expect((await slots.claim())?.account).toBe('c');
});

test('only what kills trainers fails, whatever else was in training with it', async () => {
  const world = await corpusWorld();
  const { training } = world.corpus;
  const shape = fc.record({
    slots: fc.integer({ min: 2, max: 4 }),
    items: fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }),
    patient: fc.boolean(),
  });
  try {
    await fc.assert(
      fc.asyncProperty(shape, async ({ slots: size, items, patient }) => {
        await world.emptyQueue();
        const queue = patient ? { ...training, needsRoom: async () => false } : training;
        const deadly = new Map<string, boolean>();
        for (const isDeadly of items) {
          const account = randomId();
          const { _id } = await world.website(account);
          await training.request(account, _id, randomId());
          deadly.set(_id, isDeadly);
        }
        for (let lives = 0, slots = createSlots(queue, size); ; ) {
          const jobs = await Promise.all(Array.from({ length: size }, () => slots.claim()));
          const running = jobs.filter((job) => job !== undefined);
          if (running.length === 0) break;
          if (running.some(({ item }) => deadly.get(item))) {
            for (const { item } of running) await world.expire(item);
            slots = createSlots(queue, size);
            expect(lives++).toBeLessThan(3 * items.length);
          } else
            for (const job of running) {
              await training.publish(job, published());
              slots.release(job);
            }
        }
        for (const [id, isDeadly] of deadly)
          expect((await world.stored(id))!.training_failed_with !== null).toBe(isDeadly);
      }),
      { numRuns: 15 },
    );
  } finally {
    await world.close();
  }
});
