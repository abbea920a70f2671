import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError, notFound } from '../errors.ts';
import { randomId } from '../ids.ts';
import { quotaStore } from './quota.ts';
import { db } from './testing/state.ts';
import { LIVE } from './tombstone.ts';
import { insertOnce, set } from './write.ts';

interface Row {
  _id: string;
  account: string;
  bytes: number;
  deleted_at: Date | null;
}

const rows = db.collection<Row>('rows');
const quotas = db.collection<{ _id: string; used: object; pending: object[] }>('quotas');

async function count(account: string) {
  const live = await rows.find({ account, ...LIVE }).toArray();
  return { rows: live.length, bytes: live.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** A process of the service; `ends` kills it before or after a write, which it can't know. */
function replica(most: number, { staleMs = 600_000, bytes = 1_000_000 } = {}) {
  const limits = {
    rows: { most, what: 'rows', setting: 'QUOTA_ROWS' },
    bytes: { most: bytes, what: 'bytes', setting: 'QUOTA_BYTES' },
  };
  const quota = quotaStore(db, limits, count, { staleMs });
  type Death = 'before' | 'after' | undefined;
  const die = (death: Death, at: Death) => {
    if (death === at && at !== undefined) throw new Error('killed');
  };
  return {
    ...quota,
    create: (account: string, _id = randomId(), { size = 1, death }: { size?: number; death?: Death } = {}) =>
      quota.change(
        account,
        { rows: 1, bytes: size },
        async () => {
          die(death, 'before');
          const made = await insertOnce(rows, { _id, account, bytes: size, deleted_at: null });
          die(death, 'after');
          return { result: _id, counted: made ? { rows: 1, bytes: size } : {} };
        },
        async () => (await rows.findOne({ _id, account }))?._id,
      ),
    remove: (account: string, _id: string, { death }: { death?: Death } = {}) =>
      quota.change(account, {}, async () => {
        die(death, 'before');
        const gone = await rows.findOneAndUpdate({ _id, account, ...LIVE }, [set({ deleted_at: new Date() })]);
        die(death, 'after');
        return { result: gone !== null, counted: gone ? { rows: -1, bytes: -gone.bytes } : {} };
      }),
  };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : 'killed'),
  );

test('of parallel creates, exactly as many get through as there is room for, from any replica', async () => {
  const replicas = [replica(10), replica(10)];
  for (const room of [1, 4]) {
    const account = randomId();
    for (let i = 0; i < 10 - room; i++) await replicas[0]!.create(account);
    const tries = Array.from({ length: 30 }, (_, i) => outcome(replicas[i % 2]!.create(account)));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(room);
    expect(outcomes.filter((each) => each === 'permission_denied')).toHaveLength(30 - room);
    expect((await count(account)).rows).toBe(10);
  }
});

test('a refusal names the limit, the setting and what the account has, and writes nothing', async () => {
  const account = randomId();
  const { create } = replica(2, { bytes: 1_500 });
  await create(account, randomId(), { size: 1_200 });
  await expect(create(account, randomId(), { size: 301 })).rejects.toThrow(
    'An account may have 1,500 bytes (QUOTA_BYTES), and this one has 1,200. Delete some of them first.',
  );
  await create(account);
  await expect(create(account)).rejects.toThrow('An account may have 2 rows (QUOTA_ROWS), and this one has 2.');
  expect((await count(account)).rows).toBe(2);
});

test('an account that others begin to count, or make room in, at that moment is not refused', async () => {
  const account = randomId();
  const [one, other] = [replica(1), replica(1)];
  for (let round = 0; round < 20; round++) {
    const fresh = randomId();
    // The first use of an account by both: each may find that the other has just counted it.
    expect(await Promise.all([outcome(one.used(fresh)), outcome(other.create(fresh))])).toEqual(['done', 'done']);
    const id = await one.create(account);
    const [removed, created] = await Promise.all([outcome(one.remove(account, id)), outcome(other.create(account))]);
    expect(removed).toBe('done');
    expect(['done', 'permission_denied']).toContain(created);
    for (const { _id } of await rows.find({ account, ...LIVE }).toArray()) await one.remove(account, _id);
  }
});

test('deleting makes room at once', async () => {
  const account = randomId();
  const { create, remove, used } = replica(1);
  const first = await create(account);
  expect(await outcome(create(account))).toBe('permission_denied');
  expect(await remove(account, first)).toBe(true);
  expect(await used(account)).toEqual({ rows: 0, bytes: 0 });
  await create(account);
  expect(await used(account)).toEqual({ rows: 1, bytes: 1 });
});

test('an operation that is repeated counts once, and is not refused although the account is full', async () => {
  const account = randomId();
  const { create, used } = replica(1);
  const id = randomId();
  await create(account, id);
  expect(await create(account, id)).toBe(id);
  expect(await used(account)).toEqual({ rows: 1, bytes: 1 });
});

test('an operation that was refused for another reason takes no room', async () => {
  const account = randomId();
  const quota = replica(1);
  const refused = quota.change(account, { rows: 1 }, async () => {
    throw notFound('There is no such parent.');
  });
  await expect(refused).rejects.toThrow('no such parent');
  expect(await quota.used(account)).toEqual({ rows: 0, bytes: 0 });
});

test('what a process held when it died is free again once the account is counted', async () => {
  const account = randomId();
  await outcome(replica(2).create(account, randomId(), { death: 'before' }));
  await outcome(replica(2).create(account, randomId(), { death: 'after' }));
  // As long as they may still be writing, nobody else gets their room.
  expect(await replica(2).used(account)).toEqual({ rows: 2, bytes: 2 });
  expect(await outcome(replica(2).create(account))).toBe('permission_denied');
  const later = replica(2, { staleMs: 0 });
  expect(await later.used(account)).toEqual({ rows: 1, bytes: 1 });
  expect(await outcome(later.create(account))).toBe('done');
  expect(await outcome(later.create(account))).toBe('permission_denied');
});

test('what a suspended process writes after the account was counted is counted, too', async () => {
  const account = randomId();
  const late = replica(5);
  const id = randomId();
  await late.change(account, { rows: 1, bytes: 1 }, async () => {
    // Meanwhile, others take this process for dead.
    await replica(5, { staleMs: 0 }).used(account);
    await insertOnce(rows, { _id: id, account, bytes: 1, deleted_at: null });
    return { result: id, counted: { rows: 1, bytes: 1 } };
  });
  await late.create(account);
  expect((await replica(5).used(account)).rows).toBe(2);
});

test('an account that existed before it was counted is counted when it is first looked at', async () => {
  const account = randomId();
  for (let i = 0; i < 3; i++) await insertOnce(rows, { _id: randomId(), account, bytes: 10, deleted_at: null });
  expect(await replica(3).used(account)).toEqual({ rows: 3, bytes: 30 });
  expect(await outcome(replica(3).create(account))).toBe('permission_denied');
});

test('an account of which one more kind of thing is counted is counted again', async () => {
  const account = randomId();
  const { create } = replica(3);
  await create(account, randomId(), { size: 7 });
  await quotas.updateOne({ _id: account }, { $unset: { 'used.bytes': 1 } as never });
  expect(await outcome(create(account))).toBe('done');
  expect(await replica(3).used(account)).toEqual({ rows: 2, bytes: 8 });
});

const LIMIT = 4;
const deaths = fc.option(fc.constantFrom('before' as const, 'after' as const), { nil: undefined, freq: 3 });
const action = fc.record({ kind: fc.constantFrom('create', 'create', 'remove'), id: fc.nat(5), death: deaths });
type Action = { kind: string; id: number; death?: 'before' | 'after' | undefined };

test('whatever replicas do at once, and wherever they die, no account exceeds its limit, and its count is right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
      const account = randomId();
      const { create, remove } = replica(LIMIT);
      const act = ({ kind, id, death }: Action) =>
        kind === 'create'
          ? outcome(create(account, `${account}/${id}`, { size: id + 1, death }))
          : outcome(remove(account, `${account}/${id}`, { death }));
      for (const round of rounds) {
        await Promise.all(round.map(act));
        const there = await count(account);
        expect(there.rows).toBeLessThanOrEqual(LIMIT);
        // What the dead held is still in use; nothing that is there is left out.
        const { rows: used } = await replica(LIMIT).used(account);
        expect(used).toBeGreaterThanOrEqual(there.rows);
      }
      expect(await replica(LIMIT, { staleMs: 0 }).used(account)).toEqual(await count(account));
    }),
    { numRuns: 60 },
  );
});
