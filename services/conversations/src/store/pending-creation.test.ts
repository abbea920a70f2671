import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { gate } from '@parley/runtime/testing';
import type { Scheduler } from 'fast-check';
import type { NewConversation } from '../domain/new-conversation.ts';
import { threadId } from './model.ts';
import { interleaved, Killed } from './testing/race.ts';
import { openWith, storesOn, threadDatabase } from './testing/threads.ts';

const database = threadDatabase();
const newConversation: NewConversation = {
  kind: 'ticket',
  email: 'Ann@example.com',
  name: '',
  subject: '',
  message: 'Why?',
};

/** Stores that do what `before` says before each of their database operations, counted from 0. */
function storesWith(before: (operation: number) => Promise<void>) {
  let operation = 0;
  const scheduler = { schedule: () => before(operation++) } as unknown as Scheduler;
  return storesOn(interleaved(database.db, { acts: [], lives: Infinity }, scheduler), () => {});
}

/** Stores of a process that dies before an operation. */
const dyingAt = (last: number) =>
  storesWith(async (operation) => {
    if (operation === last) throw new Killed();
  });

/** An assistant with a ticket of the address. */
async function withTicket() {
  const stores = storesOn(database.db);
  const [account, assistant] = [randomId(), randomId()];
  const ref = { account, kind: 'ticket', assistant, id: randomId() } as const;
  await openWith(stores, ref, 'ann@example.com');
  // So that the account need not be counted while operations are.
  await stores.usage.used(account);
  return { ...stores, account, assistant, ref, ticket: await stores.threads.find(ref) };
}

test('wherever an opening and the lifting of a block died, the next attempt opens and waits for its answer, or is refused by a block in force', async () => {
  const seen = new Set<string>();
  // Each takes fewer operations than this.
  for (let dies = 0; dies < 14; dies++)
    for (let liftingDies = 0; liftingDies < 5; liftingDies++) {
      const { threads, pendingCreations, blocks, account, assistant, ref, ticket } = await withTicket();
      const op = randomId();
      await dyingAt(dies)
        .pendingCreations.open(account, assistant, op, newConversation)
        .catch(() => {});
      const first = await threads.collection.findOne({ _id: threadId(op), account, deleted_at: null });
      await blocks.block(ticket);
      await dyingAt(liftingDies)
        .blocks.unblock(ticket)
        .catch(() => {});
      const inForce = (await blocks.find(ref, 'ann@example.com'))?.blocked_at;
      const next = await pendingCreations.open(account, assistant, op, newConversation).catch(({ code }) => code);
      // What opened before the block came was blocked, and is what a second attempt finds.
      const expected = first ? { _id: first._id, pending: null } : { pending: { entry: op } };
      if (inForce && !first) expect([dies, liftingDies, next]).toEqual([dies, liftingDies, 'permission_denied']);
      else expect({ dies, liftingDies, ...next }).toMatchObject({ dies, liftingDies, deleted_at: null, ...expected });
      seen.add(`${!!first} ${!!inForce}`);
    }
  expect(seen.size).toBe(4);
});

test('a thread that opened after a block was lifted is not blocked by whoever copies that block late', async () => {
  const { threads, blocks, pendingCreations, account, assistant, ref, ticket } = await withTicket();
  const [copying, passed] = [gate(), gate()];
  const late = storesWith(async (operation) => {
    // After the block itself.
    if (operation !== 1) return;
    copying.open();
    await passed.opened;
  });
  const blocking = late.blocks.block(ticket);
  await copying.opened;
  await blocks.unblock(ticket);
  const opened = await pendingCreations.open(account, assistant, randomId(), newConversation);
  passed.open();
  await blocking;
  expect(await threads.find({ ...ref, id: opened._id })).toMatchObject({ blocked_at: null, pending: opened.pending });
});

test('a ticket whose opening took long is as new as the moment when it can be seen first', async () => {
  const { pendingCreations, threads, account, assistant } = await withTicket();
  const op = randomId();
  // The quota, three reads, and the write that stores it.
  await dyingAt(5)
    .pendingCreations.open(account, assistant, op, newConversation)
    .catch(() => {});
  const anHourAgo = [{ $set: { created_at: { $subtract: ['$$NOW', 3_600_000] } } }];
  const waiting = { _id: threadId(op), account, pending_since: { $exists: true } };
  expect(await threads.collection.unlisted.updateOne(waiting, anHourAgo)).toMatchObject({ matchedCount: 1 });
  const { created_at, updated_at, last } = await pendingCreations.open(account, assistant, op, newConversation);
  expect(Date.now() - created_at.getTime()).toBeLessThan(60_000);
  expect([updated_at, last!.at]).toEqual([created_at, created_at]);
  const place = { account, kind: 'ticket', assistant } as const;
  const polled = await threads.list(place, { after: new Date(created_at.getTime() - 1) }, { limit: 9, nextCursor: '' });
  expect(polled.items.map(({ _id }) => _id)).toContain(threadId(op));
});

test('opening again with the operation of a ticket that was deleted with its assistant is refused', async () => {
  const { pendingCreations, removal, account, assistant } = await withTicket();
  const op = randomId();
  await pendingCreations.open(account, assistant, op, newConversation);
  await removal.forget(account, assistant);
  await removal.sweep(account, assistant);
  await expect(pendingCreations.open(account, assistant, op, newConversation)).rejects.toMatchObject({
    code: 'not_found',
  });
});
