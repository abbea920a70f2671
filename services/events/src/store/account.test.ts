import { afterAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { freshDatabase, unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { TIMING } from '../domain/progress.ts';
import { backlogStore } from './backlog.ts';
import { type Attempt, deliveryStore } from './deliveries.ts';
import { deliveryQueue } from './queue.ts';
import { webhookCollection, webhookStore, webhookUsage } from './webhooks.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const usage = webhookUsage(db, 10);
const webhooks = webhookStore(db, usage);
const deliveries = deliveryStore(db);
const backlog = backlogStore(db);
const queue = deliveryQueue(webhookCollection(db), TIMING);
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('no webhook, delivery or event is read or written without an account, but by workers that look for work', async () => {
  const account = randomId();
  const secret = (op = randomId()) => ({ op, sealed: Buffer.from('sealed') });
  const subscription = { url: 'https://example.com/', events: ['*'], enabled: true };
  const { _id: id } = await webhooks.create(account, subscription, secret(), 0);
  const page = { limit: 0, nextCursor: '' };
  const range = { from: 1, to: 2, types: ['chat.begun'], limit: 10 };
  const progress = { position: 1, held: [], failures: 0, failing_since: null };
  const attempt: Attempt = {
    ...{ event: { _id: randomId(), type: 'chat.begun' }, status: 200, ms: 1, reason: null },
    ...{ state: 'delivered', next_at: null },
  };
  /** Every function of the stores. A new one has to be added here, or this does not compile. */
  const calls = {
    webhooks: {
      create: () => webhooks.create(account, subscription, secret(id), 0),
      webhook: () => webhooks.webhook(account, id),
      list: () => webhooks.list(account, page),
      update: () => webhooks.update(account, id, { ...subscription, enabled: true }, 1),
      renewSecret: () => webhooks.renewSecret(account, id, secret()),
      goBack: () => webhooks.goBack(account, id, 0, 1),
      disable: () => webhooks.disable(account, id, 'gone'),
      remove: () => webhooks.remove(account, id, randomId()),
    } satisfies Record<keyof typeof webhooks, () => unknown>,
    deliveries: {
      record: () => deliveries.record(account, id, [attempt]),
      find: () => deliveries.find(account, id, randomId()),
      ofEvent: () => deliveries.ofEvent(account, id, attempt.event._id),
      list: () => deliveries.list(account, id, ['delivered'], page),
      giveUp: () => deliveries.giveUp(account, id),
      cut: () => deliveries.cut(account, id, 1_000_000),
      drop: () => deliveries.drop(account, id),
    } satisfies Record<keyof typeof deliveries, () => unknown>,
    backlog: {
      read: () => backlog.read(account, range),
      ofResource: () => backlog.ofResource(account, 'a', range),
      find: () => backlog.find(account, randomId()),
      firstSince: () => backlog.firstSince(account, new Date()),
    } satisfies Record<keyof typeof backlog, () => unknown>,
    queue: {
      notify: () => queue.notify(account, 1, ['chat.begun']),
      save: () => queue.save(account, { _id: id }, progress),
      release: () => queue.release(account, { _id: id }, progress, { readMs: 0, heldMs: 1 }),
    } satisfies Record<Exclude<keyof typeof queue, 'workOnNext' | 'waiting'>, () => unknown>,
  };
  const found: string[] = [];
  for (const [name, store] of Object.entries(calls))
    for (const [call, run] of Object.entries(store))
      for (const command of await unscopedCommands(client, run)) found.push(`${name}.${call}: ${command}`);
  expect(found).toEqual([]);
  expect(await unscopedCommands(client, queue.waiting)).not.toEqual([]);
});
