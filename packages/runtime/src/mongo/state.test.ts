import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomId } from '../ids.ts';
import { gate, until } from '../testing/index.ts';
import { keepLease, LeaseLost, withLease } from './lease.ts';
import { migrate } from './migrations.ts';
import { page } from './page.ts';
import { db, log, things } from './testing/state.ts';
import { deleteInParts, insertOnce, set } from './write.ts';

const never = new AbortController().signal;

test('an insert with one operation id happens once, however often it is tried', async () => {
  const _id = randomId();
  const tries = await Promise.all(
    ['first', 'second', 'third'].map((name) => insertOnce(things, { _id, account: 'a', name, deleted_at: null })),
  );
  expect(tries.filter(Boolean)).toHaveLength(1);
  expect(await things.countDocuments({ _id })).toBe(1);
});

test("a user's text that looks like an expression is stored as text", async () => {
  const _id = randomId();
  await insertOnce(things, { _id, account: 'a', name: '$$NOW', deleted_at: null });
  await things.updateOne({ _id }, [set({ extra: { deep: '$name', list: ['$$ROOT'] } })]);
  expect(await things.findOne({ _id })).toMatchObject({ name: '$$NOW', extra: { deep: '$name', list: ['$$ROOT'] } });
});

test('a lease has one holder at a time', async () => {
  let holders = 0;
  let most = 0;
  const work = () =>
    withLease(db, 'one', { ttlMs: 2_000, signal: never }, async () => {
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setTimeout(resolve, 30));
      holders--;
    });
  await Promise.all([work(), work(), work()]);
  expect(most).toBe(1);
});

test('a holder whose lease was taken is aborted', async () => {
  let renewals = 0;
  const renew = async () => ++renewals < 2;
  const work = keepLease(
    { ttlMs: 150, renew },
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  await expect(work).rejects.toBeInstanceOf(LeaseLost);
});

test('a holder whose renewals get no answer stops before its lease ends', async () => {
  const ttlMs = 300;
  let leaseEnded = false;
  // Timers of one process fire in the order of their due times, however busy the machine is.
  setTimeout(() => {
    leaseEnded = true;
  }, ttlMs);
  const hang = () => new Promise<boolean>(() => {});
  await keepLease({ ttlMs, renew: hang }, async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(leaseEnded).toBe(false);
  });
});

test('a hanging renewal costs nobody the lease: it is retried, and its late answer changes nothing', async () => {
  const ttlMs = 900;
  const hung = gate<boolean>();
  let renewals = 0;
  const renew = async () => (++renewals === 1 ? hung.opened : true);
  const began = performance.now();
  await keepLease({ ttlMs, renew }, async (signal) => {
    await until(() => renewals === 3 || signal.aborted);
    hung.open(false);
    await until(() => renewals === 6 || signal.aborted);
    expect(signal.aborted).toBe(false);
  });
  expect(performance.now() - began).toBeGreaterThan(ttlMs);
});

test('a renewal that arrives after the lease was released takes it from nobody', async () => {
  const leases = db.collection<{ _id: string; owner: string; until: Date }>('leases');
  let owner = '';
  await withLease(db, 'released', { ttlMs: 60_000, signal: never }, async () => {
    owner = (await leases.findOne({ _id: 'released' }))!.owner;
  });
  await leases.updateOne({ _id: 'released', owner }, { $set: { until: new Date(Date.now() + 60_000) } });
  await withLease(db, 'released', { ttlMs: 60_000, signal: AbortSignal.timeout(10_000) }, async () => {});
});

test('work under a renewed lease may last longer than the lease', async () => {
  const ttlMs = 900;
  let renewals = 0;
  const renew = async () => ++renewals > 0;
  const began = performance.now();
  await keepLease({ ttlMs, renew }, async (signal) => {
    await until(() => renewals === 4 || signal.aborted);
    expect(signal.aborted).toBe(false);
  });
  expect(performance.now() - began).toBeGreaterThan(ttlMs);
});

test('each migration runs once, in order, however many processes start at the same time', async () => {
  const runs: number[] = [];
  const migrations = [3, 1, 2].map((number) => ({
    number,
    name: `step ${number}`,
    beside: '0.1.0',
    run: async () => void runs.push(number),
  }));
  await Promise.all([1, 2, 3].map(() => migrate(db, migrations, log, never)));
  expect(runs).toEqual([1, 2, 3]);
});

test('a release runs on data that a newer one has migrated if that one says so, and otherwise refuses in words', async () => {
  const [fresh, own] = [db.client.db(`${db.databaseName}-beside`), { number: 1, name: 'own', beside: '0.1.0' }];
  const step = (number: number, beside: string) => ({ number, name: `step ${number}`, beside, run: async () => {} });
  const mine = [{ ...own, run: async () => {} }];
  const start = (release: string, migrations = mine) => migrate(fresh, migrations, log, never, { release });
  await start('0.9.1');
  await start('0.10.0', [...mine, step(2, '0.9.0')]);
  await start('0.9.1');
  await start('0.11.0', [...mine, step(2, '0.9.0'), step(3, '0.10.0'), step(4, '0.9.0')]);
  await start('0.10.0-rc.1', [...mine, step(2, '0.9.0'), step(3, '0.10.0')]);
  await start('0.10.0', [...mine, step(2, '0.9.0')]);
  for (const release of ['0.9.1', '0.10.0-rc.1'])
    await expect(start(release)).rejects.toThrow(
      `(migration 3, step 3), on whose data 0.10.0 and later run; this is ${release}.`,
    );
  await fresh.dropDatabase();
});

test('pages show every document once, in order, despite concurrent changes, for any limit and any ties of time', async () => {
  const arbitrary = fc.record({
    times: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ times, limit }) => {
      await things.deleteMany({});
      const documents = times.map((t) => ({
        _id: randomId(),
        account: 'a',
        name: '',
        created_at: new Date(t),
        deleted_at: null,
      }));
      if (documents.length > 0) await things.insertMany(documents);
      const seen: string[] = [];
      for (let nextCursor = '', more = true; more; ) {
        const found = await page(things, { account: 'a' }, { limit, nextCursor });
        seen.push(...found.items.map((item) => item._id));
        // Newer than all others; must not shift what follows.
        await things.insertOne({ _id: randomId(), account: 'a', name: '', created_at: new Date(9), deleted_at: null });
        [nextCursor, more] = [found.nextCursor, found.hasMore];
      }
      const byId = (a: string, b: string) => (a < b ? 1 : -1);
      const expected = documents.sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || byId(a._id, b._id));
      expect(seen).toEqual(expected.map((d) => d._id));
    }),
    { numRuns: 25 },
  );
});

test('deleting in parts removes all matching documents, however many, and nothing else', async () => {
  const children = db.collection<{ _id: number; thing: string }>('many_children');
  await children.createIndex({ thing: 1 });
  await children.insertMany(Array.from({ length: 12_345 }, (_, i) => ({ _id: i, thing: i % 100 ? 'a' : 'b' })));
  await deleteInParts(children, { thing: 'a' });
  expect(await children.distinct('thing')).toEqual(['b']);
  expect(await children.countDocuments()).toBe(124);
});

test('an invalid position is refused', async () => {
  for (const nextCursor of [
    'x',
    'W10',
    Buffer.from('[{"$gt":1},"b"]').toString('base64url'),
    Buffer.from('[1]').toString('base64url'),
  ])
    await expect(page(things, {}, { limit: 1, nextCursor })).rejects.toMatchObject({ code: 'invalid_argument' });
});
