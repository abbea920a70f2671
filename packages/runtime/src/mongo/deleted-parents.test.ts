import { afterEach, expect, test } from '@jest/globals';
import { randomId } from '../ids.ts';
import { gate, until } from '../testing/index.ts';
import { createOrphanSweeper, deletedParents } from './deleted-parents.ts';
import { db, log } from './testing/state.ts';

const deleted = deletedParents(db);
const DAY_MS = 24 * 3_600_000;
const children = db.collection<{ parent: string }>('children');

afterEach(async () => {
  await deleted.tombstones.deleteMany({});
  await children.deleteMany({});
});

/** Removes one child at each sweep. */
const removeOne = async (_account: string, parent: string) => {
  await children.deleteOne({ parent });
  return (await children.countDocuments({ parent })) === 0;
};
const sweeper = (remove = removeOne) => createOrphanSweeper({ deleted, log, remove });
const age = (ms: number) => deleted.tombstones.updateMany({}, [{ $set: { at: { $subtract: ['$$NOW', ms] } } }]);
const makeDue = () => deleted.tombstones.updateMany({ due_claim: { $exists: false } }, { $set: { due: new Date(0) } });

test('a parent that is marked is gone, however often that happens at once', async () => {
  const parent = randomId();
  expect(await deleted.isDeleted('acme', parent)).toBe(false);
  await Promise.all([deleted.markDeleted('acme', parent), deleted.markDeleted('acme', parent)]);
  expect(await deleted.isDeleted('acme', parent)).toBe(true);
  expect(await deleted.tombstones.find().toArray()).toMatchObject([{ parent, account: 'acme', due: expect.any(Date) }]);
});

test("an account's tombstone says nothing of another account's parent, even of the same id", async () => {
  const parent = randomId();
  await deleted.markDeleted('mallory', parent);
  expect(await deleted.isDeleted('acme', parent)).toBe(false);
  await deleted.markDeleted('acme', parent);
  await deleted.markDeleted('mallory', parent);
  const swept: string[] = [];
  const loop = sweeper(async (account) => swept.push(account) > 0);
  await loop.start();
  await until(() => swept.length === 2);
  await loop.stop();
  expect(swept.sort()).toEqual(['acme', 'mallory']);
});

test('children are removed at once and whenever the tombstone is half as old again; it stands for a day and until none is left', async () => {
  const parent = randomId();
  await children.insertMany([{ parent }, { parent }]);
  await deleted.markDeleted('acme', parent);
  const loop = sweeper();
  await loop.start();
  await until(async () => (await children.countDocuments({ parent })) === 1);
  const { at, due } = await until(
    () => deleted.tombstones.findOne({ due_claim: { $exists: false } }),
    (tombstone) => tombstone !== null,
  ).then((tombstone) => tombstone!);
  expect(due.getTime() - at.getTime()).toBeLessThan(60_000);
  await children.insertOne({ parent });
  for (const left of [1, 0]) {
    await age(2 * DAY_MS);
    await makeDue();
    loop.wake();
    await until(async () => (await children.countDocuments({ parent })) === left);
    await until(async () => (await deleted.tombstones.countDocuments({ due_claim: { $exists: true } })) === 0);
    expect(await deleted.isDeleted('acme', parent)).toBe(left === 1);
  }
  await loop.stop();
});

test('of two replicas, one at a time removes the children of a parent, and a failure is repeated later', async () => {
  const parent = randomId();
  await deleted.markDeleted('acme', parent);
  const [entered, ends] = [gate(), gate()];
  let sweeps = 0;
  const replicas = [1, 2].map(() =>
    sweeper(async () => {
      sweeps++;
      entered.open();
      await ends.opened;
      throw new Error('unavailable');
    }),
  );
  await Promise.all(replicas.map((each) => each.start()));
  await entered.opened;
  for (let i = 0; i < 5; i++) {
    for (const each of replicas) each.wake();
    await db.command({ ping: 1 });
  }
  expect(sweeps).toBe(1);
  ends.open();
  await deleted.tombstones.updateMany({}, { $set: { due: new Date(0) } });
  await until(() => {
    for (const each of replicas) each.wake();
    return sweeps > 1;
  });
  await Promise.all(replicas.map((each) => each.stop()));
  expect(await deleted.isDeleted('acme', parent)).toBe(true);
});
