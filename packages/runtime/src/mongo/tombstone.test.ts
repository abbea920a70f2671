import { expect, test } from '@jest/globals';
import { gate, until } from '../testing/index.ts';
import { createRelay } from './relay.ts';
import { db, log, recordingBus, thing, things } from './testing/state.ts';
import { createPurge, tombstone } from './tombstone.ts';

test('a deleted document is purged at once, and again for stragglers; then nothing is left of it', async () => {
  const _id = await thing();
  const children = db.collection('children');
  await children.insertOne({ thing: _id });
  await things.updateOne({ _id, deleted_at: null }, tombstone({ case: 'knowledgeItemDeleted', value: {} }));
  let purges = 0;
  const purge = createPurge({
    collection: things,
    settleMs: 0,
    log,
    async purge(deleted) {
      purges++;
      await children.deleteMany({ thing: deleted._id });
      // A late writer, unaware of the deletion.
      if (purges === 1) await children.insertOne({ thing: deleted._id });
    },
  });
  const relay = createRelay({ collection: things as never, bus: recordingBus(), log });
  await Promise.all([purge.start(), relay.start()]);
  await until(async () => {
    purge.wake();
    return (await things.countDocuments({ _id })) === 0;
  });
  await Promise.all([purge.stop(), relay.stop()]);
  expect(purges).toBe(2);
  expect(await children.countDocuments({})).toBe(0);
});

test('a tombstone stays until its event has been relayed', async () => {
  const _id = await thing();
  await things.updateOne({ _id }, tombstone({ case: 'knowledgeItemDeleted', value: {} }));
  const purge = createPurge({ collection: things, settleMs: 0, log, purge: async () => {} });
  await purge.start();
  await until(async () => (await things.countDocuments({ _id, purged_at: { $exists: true } })) === 1);
  await purge.stop();
  expect(await things.countDocuments({ _id })).toBe(1);
});

/** A deleted thing whose deletion is published. */
async function deletedThing() {
  const _id = await thing();
  await things.updateOne({ _id }, tombstone({ case: 'knowledgeItemDeleted', value: {} }));
  await things.updateOne({ _id }, { $unset: { outbox_due: 1 } });
  return _id;
}

test('a document that cannot be purged holds up no other, and its tombstone stays', async () => {
  const stuck = await deletedThing();
  const other = await deletedThing();
  const purge = createPurge({
    collection: things,
    settleMs: 0,
    log,
    async purge({ _id }) {
      if (_id === stuck) throw new Error('too large');
    },
  });
  await purge.start();
  await until(async () => {
    purge.wake();
    return (await things.countDocuments({ _id: other })) === 0;
  });
  await purge.stop();
  expect(await things.countDocuments({ _id: stuck, purged_at: { $exists: false } })).toBe(1);
});

test('of two replicas, one at a time purges a document', async () => {
  await deletedThing();
  const [entered, ends] = [gate(), gate()];
  let purges = 0;
  const replicas = [1, 2].map(() =>
    createPurge({
      collection: things,
      settleMs: 0,
      log,
      async purge() {
        purges++;
        entered.open();
        await ends.opened;
      },
    }),
  );
  await Promise.all(replicas.map((each) => each.start()));
  await entered.opened;
  for (let i = 0; i < 5; i++) {
    for (const each of replicas) each.wake();
    await db.command({ ping: 1 });
  }
  expect(purges).toBe(1);
  ends.open();
  await until(async () => {
    for (const each of replicas) each.wake();
    return (await things.countDocuments({})) === 0;
  });
  await Promise.all(replicas.map((each) => each.stop()));
  expect(purges).toBe(2);
});
