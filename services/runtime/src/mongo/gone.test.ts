import { afterEach, expect, test } from '@jest/globals';
import { randomId } from '../rpc/ids.ts';
import { gate, until } from '../testing/index.ts';
import { createGoneSweeper, goneParents } from './gone.ts';
import { db, log } from './testing/state.ts';

const gone = goneParents(db);
const DAY_MS = 24 * 3_600_000;
const children = db.collection<{ parent: string }>('children');

afterEach(async () => {
  await gone.marks.deleteMany({});
  await children.deleteMany({});
});

/** Removes one child at each sweep. */
const removeOne = async (_account: string, parent: string) => {
  await children.deleteOne({ parent });
  return (await children.countDocuments({ parent })) === 0;
};
const sweeper = (remove = removeOne) => createGoneSweeper({ gone, log, remove });
const age = (ms: number) => gone.marks.updateMany({}, [{ $set: { at: { $subtract: ['$$NOW', ms] } } }]);
const makeDue = () => gone.marks.updateMany({ due_claim: { $exists: false } }, { $set: { due: new Date(0) } });

test('a parent that is marked is gone, however often that happens at once', async () => {
  const parent = randomId();
  expect(await gone.isGone(parent)).toBe(false);
  await Promise.all([gone.markGone('acme', parent), gone.markGone('acme', parent)]);
  expect(await gone.isGone(parent)).toBe(true);
  expect(await gone.marks.findOne({})).toMatchObject({ _id: parent, account: 'acme', due: expect.any(Date) });
});

test('children are removed at once and whenever the mark is half as old again; it stands for a day and until none is left', async () => {
  const parent = randomId();
  await children.insertMany([{ parent }, { parent }]);
  await gone.markGone('acme', parent);
  const loop = sweeper();
  await loop.start();
  await until(async () => (await children.countDocuments({ parent })) === 1);
  const { at, due } = await until(
    () => gone.marks.findOne({ due_claim: { $exists: false } }),
    (mark) => mark !== null,
  ).then((mark) => mark!);
  expect(due.getTime() - at.getTime()).toBeLessThan(60_000);
  await children.insertOne({ parent });
  for (const left of [1, 0]) {
    await age(2 * DAY_MS);
    await makeDue();
    loop.wake();
    await until(async () => (await children.countDocuments({ parent })) === left);
    await until(async () => (await gone.marks.countDocuments({ due_claim: { $exists: true } })) === 0);
    expect(await gone.isGone(parent)).toBe(left === 1);
  }
  await loop.stop();
});

test('of two replicas, one at a time removes the children of a parent, and a failure is repeated later', async () => {
  const parent = randomId();
  await gone.markGone('acme', parent);
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
  await gone.marks.updateMany({}, { $set: { due: new Date(0) } });
  await until(() => {
    for (const each of replicas) each.wake();
    return sweeps > 1;
  });
  await Promise.all(replicas.map((each) => each.stop()));
  expect(await gone.isGone(parent)).toBe(true);
});
