import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { gate } from '@parley/runtime/testing';
import type { Scheduler } from 'fast-check';
import { interleaved, Killed } from './testing/race.ts';
import { storesOn, threadDatabase } from './testing/threads.ts';

const database = threadDatabase();
const newConversation = { kind: 'ticket', email: 'ann@example.com', name: '', subject: '', message: 'Why?' } as const;

/** An assistant with tickets whose events are published. */
async function withTickets(count = 1) {
  const stores = storesOn(database.db);
  const [account, assistant] = [randomId(), randomId()];
  for (let i = 0; i < count; i++) await stores.pendingCreations.open(account, assistant, randomId(), newConversation);
  const publish = () => stores.threads.collection.unlisted.updateMany({ account }, { $unset: { outbox_due: '' } });
  await publish();
  const left = async () => {
    const names = ['threads', 'entries', 'evidence', 'blocks', 'list_versions'];
    const counts = names.map((name) => database.db.collection(name).countDocuments({ account }));
    return Object.fromEntries((await Promise.all(counts)).map((n, i) => [names[i]!, n]));
  };
  return { ...stores, account, assistant, publish, left };
}
const NOTHING = { threads: 0, entries: 0, evidence: 0, blocks: 0, list_versions: 0 };

test('the deletion of an assistant ends all its threads at once, and stays open until their events are published', async () => {
  const { account, assistant, threads, removal, publish, left } = await withTickets(450);
  const [thread] = await threads.collection.find({ account }).limit(1).toArray();
  await threads.collection.unlisted.updateOne({ _id: thread!._id }, { $currentDate: { outbox_due: true } });
  await removal.forget(account, assistant);
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(false);
  expect(await left()).toEqual({ ...NOTHING, threads: 1 });
  expect(await threads.act(thread!, { entry: { _id: randomId(), by: 'owner', text: 'No.' } })).toBeNull();
  await publish();
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(true);
  expect(await left()).toEqual(NOTHING);
});

test.each(['blocks', 'mails'])('what was announced of %s is published before they are removed', async (name) => {
  const { account, assistant, removal } = await withTickets();
  const collection = database.db.collection<{ _id: string }>(name);
  const of = { account, kind: 'ticket', assistant };
  await collection.insertOne({ _id: randomId(), ...of, outbox_due: new Date() } as never);
  await removal.forget(account, assistant);
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(false);
  expect(await collection.countDocuments(of)).toBe(1);
  await collection.updateMany(of, { $unset: { outbox_due: '' } });
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(true);
  expect(await collection.countDocuments(of)).toBe(0);
});

test('an entry that is copied after its thread was deleted, by a process that dies before it undoes that, is removed later', async () => {
  const { account, assistant, threads, removal, left } = await withTickets();
  const [thread] = await threads.collection.find({ account }).toArray();
  const [copying, deleted] = [gate(), gate()];
  let operation = 0;
  const turns = {
    async schedule() {
      if (operation++ > 0) throw new Killed();
      copying.open();
      await deleted.opened;
    },
  };
  const beside: Promise<unknown>[] = [];
  const dying = interleaved(database.db, { acts: [], lives: Infinity }, turns as unknown as Scheduler);
  storesOn(dying, (work) => beside.push(work().catch(() => {}))).threads.persistLastEntry(thread!);
  await copying.opened;
  await removal.forget(account, assistant);
  expect(await removal.sweep(account, assistant)).toBe(false);
  deleted.open();
  await Promise.all(beside);
  expect(await left()).toEqual({ ...NOTHING, threads: 1, entries: 1 });
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(true);
  expect(await left()).toEqual(NOTHING);
});
