import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { randomId } from '../rpc/index.ts';
import { examined, freshDatabase } from '../testing/index.ts';
import { listVersionStore } from './list-versions.ts';
import { createdWithin, type Dates, totalsOf } from './totals.ts';

interface Thing {
  _id: string;
  account: string;
  deleted_at: Date | null;
  status: string;
  created_at: Date;
}

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const things = db.collection<Thing>('things');
const listVersions = listVersionStore(db);
beforeAll(() => things.createIndex({ account: 1, deleted_at: 1, status: 1, created_at: -1, _id: -1 }));
afterAll(async () => {
  await client.close();
  await database.drop();
});

const DAY_MS = 24 * 3_600_000;
const START = Date.UTC(2026, 0, 1);

async function add(account: string, times: readonly number[], status = 'open'): Promise<Thing[]> {
  const made = times.map((ms) => ({ _id: randomId(), account, deleted_at: null, status, created_at: new Date(ms) }));
  await things.insertMany(made);
  for (const thing of made) await listVersions.create(thing);
  return made;
}

async function change(thing: Thing, set: Partial<Thing>): Promise<void> {
  await things.updateOne({ _id: thing._id, account: thing.account }, { $set: set });
  await listVersions.bump(thing);
}

const open = (account: string) => ({ account, deleted_at: null, status: { $in: ['open'] } });
const commandsOf = async (work: () => unknown) => (await examined(client, work)).map(({ read }) => read);
const exact = (account: string, dates: Dates) =>
  things.countDocuments({ ...open(account), ...createdWithin(dates) } as never);

test('a total is counted once, until its list changes; from the second change on, only the day of what has changed', async () => {
  const account = randomId();
  const hourly = Array.from({ length: 480 }, (_, i) => START + (i * DAY_MS) / 24);
  const [first] = await add(account, hourly);
  const { total } = totalsOf(things, listVersions);
  const read = () => total({ account }, open(account));
  expect(await read()).toBe(480);
  expect(await commandsOf(read)).toEqual(['find list_versions']);
  await change(first!, { status: 'assigned' });
  expect(await read()).toBe(479);
  await change(first!, { status: 'open' });
  const [ofList, ofDays, counted] = await examined(client, read);
  expect([ofList?.read, ofDays?.read, counted?.read]).toEqual([
    'find list_versions',
    'find list_versions',
    'aggregate things',
  ]);
  expect(counted?.keys).toBeLessThan(30);
  expect(await read()).toBe(480);
});

test('the same total that several ask for at once is counted once', async () => {
  const account = randomId();
  await add(account, [START, START + DAY_MS]);
  const { total } = totalsOf(things, listVersions);
  const commands = await commandsOf(() =>
    Promise.all(Array.from({ length: 20 }, () => total({ account }, open(account)))),
  );
  expect(commands.filter((command) => command === 'aggregate things')).toHaveLength(1);
});

test('what was stored before there were versions is counted too, and its deletion is noticed', async () => {
  const account = randomId();
  const old = { _id: randomId(), account, deleted_at: null, status: 'open', created_at: new Date(START) };
  await things.insertOne(old);
  const { total } = totalsOf(things, listVersions);
  const read = () => total({ account }, open(account));
  expect(await read()).toBe(1);
  await add(account, [START + DAY_MS]);
  expect(await read()).toBe(2);
  await things.updateOne({ _id: old._id, account }, { $set: { deleted_at: new Date() } });
  await listVersions.create(old);
  expect(await read()).toBe(1);
});

const TIME = fc.oneof(
  fc.integer({ min: START, max: START + 4 * DAY_MS }),
  fc.nat(4).map((days) => START + days * DAY_MS),
  fc.nat(4).map((days) => START + days * DAY_MS - 1),
);
const BOUND = fc.option(fc.oneof({ weight: 6, arbitrary: TIME }, fc.constantFrom(0, 253_402_300_800_000, -1e14)), {
  nil: undefined,
});
const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
const DATES = fc
  .record({ before: BOUND, after: BOUND })
  .map(({ before, after }): Dates => ({ before: dateOf(before), after: dateOf(after) }));
const STEP = fc.oneof(
  fc.record({ do: fc.constant('add' as const), at: TIME, closed: fc.boolean() }),
  fc.record({ do: fc.constantFrom('close' as const, 'delete' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('read' as const), dates: DATES, replica: fc.nat(1) }),
);

test('after any changes, every replica knows the exact total between any dates, with as little memory as it may have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 5, maxLength: 40 }),
      fc.array(DATES, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(undefined, { maxFilters: 1, maxTotals: 1, maxDays: 2, maxCounts: 1 }),
      async (steps, ranges, limits) => {
        const account = randomId();
        const replicas = [totalsOf(things, listVersions, limits), totalsOf(things, listVersions, limits)];
        const made: Thing[] = [];
        const read = async (replica: number, dates: Dates) =>
          expect({ dates, total: await replicas[replica]!.total({ account }, open(account), dates) }).toEqual({
            dates,
            total: await exact(account, dates),
          });
        for (const step of steps) {
          if (step.do === 'add') made.push(...(await add(account, [step.at], step.closed ? 'closed' : 'open')));
          else if (step.do === 'read') await read(step.replica, step.dates);
          else if (made.length > 0) {
            const thing = made[step.which % made.length]!;
            await change(thing, step.do === 'close' ? { status: 'closed' } : { deleted_at: new Date() });
          }
        }
        for (const dates of [...ranges, {}]) for (const replica of [0, 1]) await read(replica, dates);
      },
    ),
    { numRuns: 25 },
  );
});
