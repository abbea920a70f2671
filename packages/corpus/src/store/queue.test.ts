import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { examined } from '@parley/runtime/testing';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import type { KnowledgeItemDoc } from '../model.ts';
import { corpusWorld, published } from '../testing.ts';
import { createCorpus } from './corpus.ts';
import type { TrainingJob } from './queue.ts';
import { MAX_ATTEMPTS } from './training.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let client: MongoClient;
beforeAll(async () => {
  world = await corpusWorld();
  client = new MongoClient(world.uri, { monitorCommands: true });
});
afterEach(() => world.emptyQueue());
afterAll(async () => {
  await client.close();
  await world.close();
});

const HOUR_MS = 3_600_000;

/** Stored items like one that is queued, each with its own account and age in milliseconds. */
async function queue(jobs: readonly { account: string; age: number }[]): Promise<string[]> {
  const { _id } = await world.website(randomId());
  await world.corpus.training.request((await world.stored(_id))!.account, _id, randomId());
  const template = (await world.stored(_id))!;
  await world.corpus.collections.items.unlisted.deleteOne({ _id });
  const now = Date.now();
  const items = jobs.map(({ account, age }): KnowledgeItemDoc => {
    const training = { ...template.training, queued_at: new Date(now - age) };
    return { ...template, _id: randomId(), account, training };
  });
  if (items.length > 0) await world.corpus.collections.items.unlisted.insertMany(items);
  return items.map((item) => item._id);
}

test('a claim costs one key for each account that waits, however many jobs they have', async () => {
  const [busy, other, last] = [randomId(), randomId(), randomId()];
  const jobs = Array.from({ length: 3_000 }, (_, i) => ({ account: i % 3 ? busy : other, age: HOUR_MS + i }));
  const ids = await queue([...jobs, { account: last, age: 1_000 }]);
  for (let i = 0; i < 2; i++) await world.corpus.training.claim();
  const corpus = createCorpus(client.db(world.database));
  let claimed: TrainingJob | undefined;
  const reads = await examined(client, async () => {
    claimed = await corpus.training.claim();
  });
  expect(claimed?.item).toBe(ids.at(-1));
  expect(reads.reduce((sum, { keys }) => sum + keys, 0)).toBeLessThan(20);
});

test('a thousand trainings of an account delay the one of another account by no claim, on any number of trainers', async () => {
  const [many, one] = [randomId(), randomId()];
  await queue(Array.from({ length: 1_000 }, (_, i) => ({ account: many, age: HOUR_MS + i })));
  const running = await Promise.all(Array.from({ length: 4 }, () => world.corpus.training.claim()));
  expect(running.map((job) => job?.account)).toEqual([many, many, many, many]);
  const [late] = await queue([{ account: one, age: 0 }]);
  await world.corpus.training.publish(running[0]!, published());
  expect((await world.corpus.training.claim())?.item).toBe(late);
});

test('a training that was deleted while it waited holds up nothing', async () => {
  const account = randomId();
  const [deleted] = await queue([{ account, age: 2_000 }]);
  await world.corpus.items.delete(account, deleted!, randomId());
  expect(await world.corpus.training.claim()).toBeUndefined();
  const [next] = await queue([{ account: randomId(), age: 1_000 }]);
  expect((await world.corpus.training.claim())?.item).toBe(next);
});

test('a job whose worker died is left to an idle trainer at first, and then makes room; looking for one reads few keys', async () => {
  const ids = await queue(Array.from({ length: 500 }, () => ({ account: randomId(), age: HOUR_MS })));
  const { items } = world.corpus.collections;
  await items.unlisted.updateMany({ _id: { $in: ids.slice(0, 250) } }, [
    { $set: { 'training.state': 'idle', 'training.attempts': 1 } },
  ]);
  const job = (await world.corpus.training.claim())!;
  const { training } = createCorpus(client.db(world.database));
  const endedBefore = (ms: number) =>
    items.unlisted.updateOne({ _id: job.item }, [{ $set: { 'training.until': { $subtract: ['$$NOW', ms] } } }]);
  for (const [ms, needed] of [
    [-1_000, false],
    [60_000, false],
    [660_000, true],
  ] as const) {
    await endedBefore(ms);
    let found: boolean | undefined;
    const reads = await examined(client, async () => {
      found = await training.needsRoom();
    });
    expect([ms, found]).toEqual([ms, needed]);
    expect(reads.reduce((sum, { keys }) => sum + keys, 0)).toBeLessThan(10);
  }
});

type Step =
  | { do: 'queue'; account: number; age: number }
  | { do: 'claim'; except?: number; inCompany?: boolean }
  | { do: 'end' | 'die' };
const account = fc.nat({ max: 3 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('queue' as const), account, age: fc.nat({ max: 1_000 }) }) },
    {
      weight: 4,
      arbitrary: fc.record(
        { do: fc.constant('claim' as const), except: account, inCompany: fc.boolean() },
        { requiredKeys: ['do'] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'die' as const) }) },
  ),
  { minLength: 10, maxLength: 25, size: 'max' },
);

test('whatever the accounts queue and however workers die, a claim takes the oldest job of an account with the fewest', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await world.emptyQueue();
      const accounts = Array.from({ length: 4 }, randomId);
      const held: TrainingJob[] = [];
      for (const step of sequence) {
        if (step.do === 'queue') await queue([{ account: accounts[step.account]!, age: step.age }]);
        if (step.do === 'die' && held.length > 0) await world.expire(held.shift()!.item);
        if (step.do === 'end' && held.length > 0) await world.corpus.training.publish(held.shift()!, published());
        if (step.do !== 'claim') continue;
        const except = step.except === undefined ? [] : [accounts[step.except]!];
        const { inCompany = false } = step;
        const expected = await expectedItems(except, inCompany);
        const job = await world.corpus.training.claim({ except, inCompany });
        expect(expected).toContain(job?.item);
        if (job) held.push(job);
      }
    }),
    { numRuns: 15 },
  );
});

/** The item that a claim should take, by comparing all; several if they are as old. */
async function expectedItems(except: readonly string[], inCompany: boolean): Promise<(string | undefined)[]> {
  const all = await world.corpus.collections.items.find({ 'training.state': { $ne: 'idle' } }).toArray();
  const runs = ({ training: { state, until } }: KnowledgeItemDoc) => state === 'running' && until!.getTime() > 0;
  const load = (account: string) => all.filter((item) => item.account === account && runs(item)).length;
  // A claim fails an item whose workers died too often, and goes on.
  const hasTries = ({ training: { attempts } }: KnowledgeItemDoc) => attempts < MAX_ATTEMPTS;
  const mayTake = ({ training: { attempts } }: KnowledgeItemDoc) => !inCompany || attempts === 0;
  const waiting = all.filter(
    (item) => !runs(item) && hasTries(item) && mayTake(item) && !except.includes(item.account),
  );
  if (waiting.length === 0) return [undefined];
  const fewest = Math.min(...waiting.map((item) => load(item.account)));
  const best = waiting.filter((item) => load(item.account) === fewest);
  const first = Math.min(...best.map(({ training }) => training.queued_at!.getTime()));
  return best.filter(({ training }) => training.queued_at!.getTime() === first).map(({ _id }) => _id);
}
