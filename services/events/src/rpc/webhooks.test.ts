import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { DeliveryState } from '@parley/proto/events/v1/events_service_pb';
import { randomId } from '@parley/runtime';
import { unerased, until } from '@parley/runtime/testing';
import { Webhook } from 'standardwebhooks';
import { eventsEraser } from '../store/account-data.ts';
import { deliveryStore } from '../store/deliveries.ts';
import { answers } from '../webhooks/testing/receivers.ts';
import { eventsOf, webhookWorld } from '../webhooks/testing/world.ts';

const w = webhookWorld();
const url = 'https://www.example.com/hook';
const page = { limit: 0, nextCursor: '' };
const subscription = { url, events: ['chat.begun'], enabled: true };

test('a webhook is listed as it was created; a retry finds it, with the same secret, which is stored encrypted', async () => {
  const replica = await w.replica({ idle: true });
  const [account, operation] = [randomId(), randomId()];
  const call = w.as(account, replica);
  const made = await call(
    'createWebhook',
    { ...subscription, url: `${url}#part`, events: ['chat.begun', 'chat.begun'] },
    operation,
  );
  expect(made).toMatchObject({ webhook: { url, events: ['chat.begun'], enabled: true } });
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await call('createWebhook', subscription, operation)).toEqual(made);
  const { items, total } = await call('listWebhooks', page);
  expect([items, total]).toEqual([[made.webhook], 1]);
  const stored = JSON.stringify(await w.webhooks.findOne({ _id: operation }));
  expect(stored).not.toContain(made.secret!.slice('whsec_'.length));
});

test('the old secret signs beside the new one, until its day is over; a retry gets the same new one', async () => {
  const [replica, receiver] = [await w.replica({ idle: true }), await w.receiver()];
  const { account, id, secret: old } = await w.subscribed(replica, receiver);
  const call = w.as(account, replica);
  const operation = randomId();
  const { secret } = await call('renewWebhookSecret', { id }, operation);
  expect((await call('renewWebhookSecret', { id }, operation)).secret).toBe(secret);
  const verifies = (each: string) => {
    const { body, headers } = receiver.asked.at(-1)!;
    return new Webhook(each).verify(body, headers);
  };
  await call('testWebhook', { id });
  for (const each of [old, secret!]) expect(verifies(each)).toMatchObject({ type: 'webhook.test' });
  await w.webhooks.updateOne({ _id: id }, { $set: { 'secrets.1.until': new Date() } });
  await call('testWebhook', { id });
  expect(verifies(secret!)).toMatchObject({ data: { webhook_id: id } });
  expect(() => verifies(old)).toThrow();
});

test('a test and a redelivery say what became of them, without the body, also of a webhook that is disabled', async () => {
  const replica = await w.replica();
  const receiver = await w.receiver(answers(503));
  const { account, id } = await w.subscribed(replica, receiver);
  const call = w.as(account, replica);
  const [event] = eventsOf(account, ['a']);
  await replica.events.append(account, [event!]);
  await until(() => receiver.asked.length > 0);
  await call('updateWebhook', { id, enabled: false });
  receiver.answer = answers(202);
  const operation = randomId();
  const { delivery } = await call('testWebhook', { id }, operation);
  expect(delivery).toMatchObject({
    eventId: operation,
    type: 'webhook.test',
    status: 202,
    state: DeliveryState.DELIVERED,
  });
  expect(JSON.stringify(await w.db.collection('webhook_deliveries').find().toArray())).not.toContain('no tenant sees');
  const failed = (await call('listDeliveries', { webhookId: id, states: [], ...page })).items!.find(
    ({ eventId }) => eventId === event!._id,
  );
  const again = await call('redeliverEvent', { webhookId: id, id: failed!.id });
  expect(again.delivery).toMatchObject({ id: failed!.id, eventId: event!._id, state: DeliveryState.DELIVERED });
  expect(receiver.accepted.map((message) => message.id)).toEqual([operation, event!._id]);
  await expect(call('redeliverEvent', { webhookId: id, id: delivery!.id })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

test('everything since a time is delivered again in order, with the same ids, and then what is new', async () => {
  const [replica, receiver] = [await w.replica(), await w.receiver()];
  const { account, id } = await w.subscribed(replica, receiver);
  const call = w.as(account, replica);
  const [before, after, fresh] = [1, 2, 3].map(() => eventsOf(account, ['a', 'a']));
  await replica.events.append(account, before!);
  await w.isIdle(account);
  await w.db.collection('events').updateMany({ account }, { $set: { stored_at: new Date(Date.now() - 60_000) } });
  const since = timestampFromDate(new Date(Date.now() - 30_000));
  await replica.events.append(account, after!);
  await w.isIdle(account);
  await call('redeliverEvents', { webhookId: id, since });
  await replica.events.append(account, fresh!);
  await w.isIdle(account);
  const ids = [...before!, ...after!, ...after!, ...fresh!].map(({ _id }) => _id);
  expect(receiver.accepted.map((message) => message.id)).toEqual(ids);
  const { items } = await call('listDeliveries', { webhookId: id, states: [], ...page });
  expect(items!.filter(({ attempts }) => attempts === 2)).toHaveLength(2);
  await call('updateWebhook', { id, enabled: false });
  await expect(call('redeliverEvents', { webhookId: id, since })).rejects.toMatchObject({
    code: 'failed_precondition',
  });
});

test('a disabled webhook says why, and goes on with what is new once it is enabled; another address gets what waited', async () => {
  const [replica, receiver, other] = [await w.replica(), await w.receiver(), await w.receiver()];
  const { account, id } = await w.subscribed(replica, receiver);
  const call = w.as(account, replica);
  const disabled = (await call('updateWebhook', { id, enabled: false })).webhook;
  expect(disabled).toMatchObject({ enabled: false, disabledBecause: 'The account disabled it.' });
  await replica.events.append(account, eventsOf(account, ['missed']));
  const enabled = (await call('updateWebhook', { id, enabled: true })).webhook;
  expect(enabled).not.toHaveProperty('disabledBecause');
  receiver.answer = answers(500);
  const waiting = eventsOf(account, ['a', 'b']);
  await replica.events.append(account, waiting);
  await until(() => receiver.asked.length >= 2);
  await call('updateWebhook', { id, url: other.url, events: { names: ['*'] } });
  await w.isIdle(account);
  expect(other.accepted.map((message) => message.id).sort()).toEqual(waiting.map(({ _id }) => _id).sort());
});

test('a deleted webhook gets nothing more, and makes room; a retry gets the same answer', async () => {
  const [replica, receiver] = [await w.replica({ most: 2 }), await w.receiver()];
  const { account, id } = await w.subscribed(replica, receiver);
  const call = w.as(account, replica);
  const other = { ...subscription, events: ['ticket.opened'] };
  await call('createWebhook', other);
  await expect(call('createWebhook', other)).rejects.toMatchObject({
    code: 'permission_denied',
    message: expect.stringContaining('QUOTA_WEBHOOKS'),
  });
  const operation = randomId();
  const deleted = await call('deleteWebhook', { id }, operation);
  expect(await call('deleteWebhook', { id }, operation)).toEqual(deleted);
  await expect(call('deleteWebhook', { id })).rejects.toMatchObject({ code: 'not_found' });
  await replica.events.append(account, eventsOf(account, ['a']));
  await call('createWebhook', other);
  expect((await call('getUsage')).items).toMatchObject([{ name: 'webhooks', used: 2n, limit: 2n }]);
  expect(receiver.asked).toEqual([]);
});

test("another account's webhook is refused, whatever is done with it", async () => {
  const replica = await w.replica({ idle: true });
  const { id } = await w.subscribed(replica, { url });
  const rival = w.as(randomId(), replica);
  const since = timestampFromDate(new Date());
  for (const attempt of [
    () => rival('updateWebhook', { id, enabled: false }),
    () => rival('deleteWebhook', { id }),
    () => rival('renewWebhookSecret', { id }),
    () => rival('testWebhook', { id }),
    () => rival('listDeliveries', { webhookId: id, states: [], ...page }),
    () => rival('redeliverEvent', { webhookId: id, id }),
    () => rival('redeliverEvents', { webhookId: id, since }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'permission_denied' });
});

test.each([
  ['url', { url: 'ftp://example.com/' }],
  ['url', { url: 'http://10.0.0.1/' }],
  ['url', { url: 'http://[::1]/' }],
  ['url', { url: 'https://user:password@example.com/' }],
  ['url', { url: `https://example.com/${'x'.repeat(2_048)}` }],
  ['events', { events: [] }],
  ['events', { events: ['chat.begun', 'chat.over'] }],
])('a wrong %s is refused by name, and nothing is stored: %j', async (field, fields) => {
  const replica = await w.replica({ idle: true, allow: '' });
  const account = randomId();
  await expect(w.as(account, replica)('createWebhook', { ...subscription, ...fields })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(`^${field} `),
  });
  expect(await w.webhooks.countDocuments({ account })).toBe(0);
});

test('the record of deliveries is cut to its newest, and goes with the account, like its webhooks', async () => {
  const [account, webhook] = [randomId(), randomId()];
  const deliveries = deliveryStore(w.db, 3);
  for (const event of eventsOf(account, ['a', 'b', 'c', 'd', 'e', 'f']))
    await deliveries.record(account, webhook, [
      { event, status: 200, ms: 1, reason: null, state: 'delivered', next_at: null },
    ]);
  await deliveries.cut(account, webhook, 100_000);
  expect((await deliveries.list(account, webhook, [], page)).total).toBe(3);
  const missed = await unerased(w.db, eventsEraser(w.db));
  expect(missed.filter((name) => /^(webhook|quotas)/.test(name))).toEqual([]);
});
