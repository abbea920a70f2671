import { expect, test } from '@jest/globals';
import { randomId } from '../ids.ts';
import { until } from '../testing/index.ts';
import { accountEraser, createAccountSweeper, eraseFrom } from './deleted-accounts.ts';
import { db, log } from './testing/state.ts';

interface Note {
  _id: string;
  account: string;
}

const notes = db.collection<Note>('notes');
const eraser = accountEraser(db, [eraseFrom(notes)]);
const HOUR_MS = 3_600_000;

const note = (account: string) => notes.insertOne({ _id: randomId(), account });
const count = (account: string) => notes.countDocuments({ account });
const tombstone = async (account: string) => (await eraser.tombstones.findOne({ _id: account }))!;

/** Two replicas of the sweeper. */
async function sweeping(
  work: () => Promise<unknown>,
  options: Partial<Parameters<typeof createAccountSweeper>[0]> = {},
) {
  const replicas = [1, 2].map(() => createAccountSweeper({ eraser, log, ...options }));
  await Promise.all(replicas.map((replica) => replica.start()));
  try {
    await work();
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
  }
}

test('an account is marked once, and stays due when it is marked again', async () => {
  const account = randomId();
  await Promise.all([1, 2, 3].map(() => eraser.markDeleted(account)));
  const first = await tombstone(account);
  await eraser.markDeleted(account);
  expect(await tombstone(account)).toEqual(first);
  expect(Object.keys(first).sort()).toEqual(['_id', 'deleted_at', 'due']);
  expect(await eraser.isDeleted(randomId())).toBe(false);
});

test('whatever is written for a marked account is erased, again and again; other accounts keep theirs', async () => {
  const [acme, rival] = [randomId(), randomId()];
  await note(rival);
  await eraser.markDeleted(acme);
  await sweeping(async () => {
    for (let late = 0; late < 2; late++) {
      await note(acme);
      await until(
        () => count(acme),
        (left) => left === 0,
      );
    }
  });
  expect(await count(rival)).toBe(1);
  expect(await eraser.isDeleted(acme)).toBe(true);
});

test('the pauses between sweeps grow with the age of the deletion, by half of it', async () => {
  const account = randomId();
  await eraser.markDeleted(account);
  const deleted_at = new Date(Date.now() - 10 * HOUR_MS);
  await eraser.tombstones.updateOne({ _id: account }, { $set: { deleted_at, due: new Date(0) } });
  await sweeping(() =>
    until(
      async () => (await tombstone(account)).due!.getTime(),
      (due) => due > 0,
    ),
  );
  const hours = ((await tombstone(account)).due!.getTime() - Date.now()) / HOUR_MS;
  expect(hours).toBeGreaterThan(4.9);
  expect(hours).toBeLessThan(5.1);
});

test('after a day the last sweep erases what is there, and removes the tombstone unless it is to be kept', async () => {
  const [acme, kept] = [randomId(), randomId()];
  for (const account of [acme, kept]) {
    await note(account);
    await eraser.markDeleted(account);
    const deleted_at = new Date(Date.now() - 25 * HOUR_MS);
    await eraser.tombstones.updateOne({ _id: account }, { $set: { deleted_at, due: new Date(0) } });
  }
  await sweeping(
    () =>
      until(
        () => eraser.tombstones.find({ _id: { $in: [acme, kept] } }).toArray(),
        (tombstones) => tombstones.every(({ due }) => due === undefined) && tombstones.length === 1,
      ),
    { keep: (account) => account === kept },
  );
  expect(Object.keys(await tombstone(kept)).sort()).toEqual(['_id', 'deleted_at']);
  expect([await count(acme), await count(kept)]).toEqual([0, 0]);
});

test('every replica is told what to forget, while the tombstone is there', async () => {
  const account = randomId();
  await eraser.markDeleted(account);
  const forgotten: string[] = [];
  await sweeping(
    () =>
      until(
        () => forgotten.filter((each) => each === account).length,
        (times) => times >= 2,
      ),
    { forget: (each) => void forgotten.push(each) },
  );
});

test('a sweep that fails is repeated, and a part that is unavailable does not keep the others', async () => {
  const account = randomId();
  let fails = 1;
  const failing = accountEraser(db, [
    eraseFrom(notes),
    async () => {
      if (fails-- > 0) throw new Error('unavailable');
      return 0;
    },
  ]);
  await note(account);
  await failing.markDeleted(account);
  await failing.tombstones.updateOne({ _id: account }, { $set: { due: new Date(0) } });
  await sweeping(
    () =>
      until(
        async () => fails,
        (left) => left < 0,
      ),
    { eraser: failing },
  );
  expect(await count(account)).toBe(0);
});
