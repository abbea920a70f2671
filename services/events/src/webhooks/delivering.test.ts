import { expect, test } from '@jest/globals';
import { DeliveryState } from '@parley/proto/events/v1/events_service_pb';
import { randomId } from '@parley/runtime';
import { gate, until } from '@parley/runtime/testing';
import { Webhook } from 'standardwebhooks';
import type { NewEvent } from '../domain/event.ts';
import { accepts, answers, hangs } from './testing/receivers.ts';
import { eventsOf, webhookWorld } from './testing/world.ts';

const w = webhookWorld();
const ids = (told: readonly { id: string }[]) => told.map(({ id }) => id);
const idsOf = (events: readonly NewEvent[], resource?: string) =>
  events.filter((event) => resource === undefined || event.resource === resource).map(({ _id }) => _id);
const repeated = (count: number, ...resources: string[]) => Array.from({ length: count }, () => resources).flat();

test('an event is posted once, as Standard Webhooks says, and a library verifies it', async () => {
  const [replica, receiver] = [await w.replica(), await w.receiver()];
  const { account, secret } = await w.subscribed(replica, receiver);
  const [event] = eventsOf(account, [randomId()]) as [NewEvent];
  await replica.events.append(account, [event]);
  await w.isIdle(account);
  const [message, ...more] = receiver.asked;
  expect(more).toEqual([]);
  expect(message).toMatchObject({ id: event._id, headers: { 'content-type': 'application/json' } });
  expect(new Webhook(secret).verify(message!.body, message!.headers)).toEqual({
    ...{ type: 'chat.begun', timestamp: event.at.toISOString(), data: event.data },
  });
});

test('it is told only of what it subscribes to, and from when it was created on', async () => {
  const [replica, receiver] = [await w.replica(), await w.receiver()];
  const account = randomId();
  await replica.events.append(account, eventsOf(account, ['a'], 'ticket.opened'));
  await w.subscribed(replica, receiver, ['ticket.opened', 'email.opened'], account);
  const [ticket, email] = [eventsOf(account, ['b'], 'ticket.opened'), eventsOf(account, ['c'], 'email.opened')];
  await replica.events.append(account, [...ticket, ...eventsOf(account, ['b', 'd']), ...email]);
  await w.isIdle(account);
  expect(ids(receiver.asked).sort()).toEqual(idsOf([...ticket, ...email]).sort());
});

test('what failed is not overtaken by what came after it of the same resource, while others go on', async () => {
  const [replica, receiver] = [await w.replica(), await w.receiver()];
  const { account } = await w.subscribed(replica, receiver);
  let left = 3;
  receiver.answer = (message, response) => {
    const refuses = message.data['resource'] === 'a' && left-- > 0;
    response.writeHead(refuses ? 500 : 200).end();
  };
  const events = eventsOf(account, repeated(5, 'a', 'b'));
  await replica.events.append(account, events);
  await w.isIdle(account);
  const of = (resource: string) => receiver.accepted.filter(({ data }) => data['resource'] === resource);
  for (const resource of ['a', 'b']) expect(ids(of(resource))).toEqual(idsOf(events, resource));
  const asked = ids(receiver.asked.filter(({ data }) => data['resource'] === 'a'));
  expect(asked.slice(0, 4)).toEqual(repeated(4, events[0]!._id));
});

test('a receiver that was down for many events gets all of them, in order, and meanwhile little is stored', async () => {
  const replica = await w.replica({ timing: { maxHeld: 10 } });
  const down = await w.receiver();
  const { account, id } = await w.subscribed(replica, down);
  await down.close();
  const resources = Array.from({ length: 60 }, (_, i) => `r${i}`);
  const events = eventsOf(account, [...resources, ...resources, ...resources]);
  await replica.events.append(account, events);
  const stored = await until(
    () => w.webhooks.findOne({ _id: id }),
    (found) => found!.failures > 5,
  );
  expect(stored!.held.length).toBeLessThanOrEqual(10);
  const up = await w.receiver(accepts, Number(new URL(down.url).port));
  await w.isIdle(account);
  for (const resource of resources)
    expect(ids(up.accepted.filter(({ data }) => data['resource'] === resource))).toEqual(idsOf(events, resource));
});

test('410 disables the webhook with a reason and an event, and nothing more is sent', async () => {
  const [replica, receiver] = [await w.replica(), await w.receiver(answers(410))];
  const { account, id } = await w.subscribed(replica, receiver);
  await replica.events.append(account, eventsOf(account, ['a', 'a', 'a']));
  const disabled = await until(
    () => w.webhooks.findOne({ _id: id }),
    (found) => !found!.enabled,
  );
  expect(disabled).toMatchObject({ disabled_because: 'The receiver answered 410 Gone.', held: [] });
  expect(disabled!.outbox).toMatchObject([{ payload: { case: 'webhookDisabled', value: { reason: 'gone' } } }]);
  await replica.events.append(account, eventsOf(account, ['b']));
  expect(receiver.asked).toHaveLength(1);
});

test('a webhook of which nothing was accepted for too long is disabled; what waited is no longer tried', async () => {
  const replica = await w.replica({ timing: { disableAfterMs: 100 } });
  const { account, id } = await w.subscribed(replica, await w.receiver(answers(500)));
  await replica.events.append(account, eventsOf(account, ['a', 'b']));
  const disabled = await until(
    () => w.webhooks.findOne({ _id: id }),
    (found) => !found!.enabled,
  );
  expect(disabled).toMatchObject({ disabled_because: 'Nothing was accepted for three days.' });
  const { items } = await w.as(account, replica)('listDeliveries', {
    webhookId: id,
    states: [],
    limit: 0,
    nextCursor: '',
  });
  expect(new Set(items!.map(({ state }) => state))).toEqual(new Set([DeliveryState.FAILED]));
});

test('an event that is never accepted is given up, and the next one of its resource follows', async () => {
  const replica = await w.replica({ timing: { tryForMs: 100 } });
  const receiver = await w.receiver();
  const { account, id } = await w.subscribed(replica, receiver);
  receiver.answer = ({ data }, response) => response.writeHead(data.n === 1 ? 400 : 200).end();
  const events = eventsOf(account, ['a', 'a']);
  await replica.events.append(account, events);
  await w.isIdle(account);
  expect(ids(receiver.accepted)).toEqual([events[1]!._id]);
  const { items } = await w.as(account, replica)('listDeliveries', {
    webhookId: id,
    states: [DeliveryState.FAILED],
    limit: 0,
    nextCursor: '',
  });
  expect(items).toMatchObject([{ eventId: events[0]!._id, status: 400, reason: 'It answered 400.' }]);
});

test('receivers that hang delay nobody else', async () => {
  const replica = await w.replica({ timeoutMs: 60_000, endpoints: 8 });
  const account = randomId();
  const hanging = await Promise.all([1, 2, 3].map(() => w.receiver(hangs)));
  for (const each of hanging) await w.subscribed(replica, each, ['*'], account);
  const quick = await w.receiver();
  await w.subscribed(replica, quick, ['*'], account);
  const events = eventsOf(account, repeated(20, 'a', 'b'));
  await replica.events.append(account, events);
  await until(() => quick.accepted.length === events.length);
  expect(hanging.map(({ accepted }) => accepted.length)).toEqual([0, 0, 0]);
  for (const each of hanging) {
    await until(() => each.asked.length > 0);
    await each.close();
  }
});

test('one account can occupy half of all places only', async () => {
  const replica = await w.replica({ timeoutMs: 60_000, endpoints: 4 });
  const [busy, other] = [randomId(), randomId()];
  const hanging = await Promise.all([1, 2, 3, 4, 5].map(() => w.receiver(hangs)));
  for (const each of hanging) await w.subscribed(replica, each, ['*'], busy);
  const quick = await w.receiver();
  await w.subscribed(replica, quick, ['*'], other);
  await replica.events.append(busy, eventsOf(busy, ['a']));
  await until(() => hanging.filter(({ asked }) => asked.length > 0).length === 2);
  await replica.events.append(other, eventsOf(other, ['a']));
  await until(() => quick.accepted.length === 1);
  expect(hanging.filter(({ asked }) => asked.length > 0)).toHaveLength(2);
  for (const each of hanging) await each.close();
});

test('a receiver has no more requests at a time than it may, and one of each resource', async () => {
  const replica = await w.replica({ concurrency: 3 });
  const receiver = await w.receiver();
  const open = new Set<unknown>();
  const together: unknown[] = [];
  receiver.answer = async ({ data }, response) => {
    if (open.has(data['resource'])) together.push(data['resource']);
    open.add(data['resource']);
    await new Promise((passed) => setImmediate(passed));
    open.delete(data['resource']);
    response.end();
  };
  const { account } = await w.subscribed(replica, receiver);
  await replica.events.append(account, eventsOf(account, repeated(10, 'a', 'b', 'c', 'd', 'e')));
  await w.isIdle(account);
  expect(receiver.accepted).toHaveLength(50);
  expect(receiver.mostOpen).toBeLessThanOrEqual(3);
  expect(together).toEqual([]);
});

test('a redirect is not followed, and a name that leads to a private address gets nothing', async () => {
  const elsewhere = await w.receiver();
  const replica = await w.replica();
  const moved = await w.receiver(answers(307, { location: elsewhere.url }));
  const { account, id } = await w.subscribed(replica, moved);
  await replica.events.append(account, eventsOf(account, ['a']));
  const test = w.as(account, replica);
  await until(() => moved.asked.length > 0);
  const redirected = (await test('testWebhook', { id })).delivery!;
  expect(redirected).toMatchObject({ status: 307, state: DeliveryState.FAILED });
  const guarded = await w.replica({ allow: '' });
  const byName = elsewhere.url.replace('127.0.0.1', 'localhost');
  const { webhook } = await w.as(account, guarded)('createWebhook', { url: byName, events: ['*'], enabled: true });
  const { delivery } = await w.as(account, guarded)('testWebhook', { id: webhook!.id });
  expect(delivery).toMatchObject({ reason: 'Its address is private, or may not be reached from here.' });
  expect(elsewhere.asked).toEqual([]);
});

test('two replicas deliver each event once', async () => {
  const [one, two] = [await w.replica(), await w.replica()];
  const receiver = await w.receiver();
  const { account } = await w.subscribed(one, receiver);
  const batches = Array.from({ length: 20 }, (_, i) => eventsOf(account, ['a', 'b', `c${i}`]));
  await Promise.all(batches.map((batch, i) => [one, two][i % 2]!.events.append(account, batch)));
  await w.isIdle(account);
  expect(ids(receiver.asked).sort()).toEqual(idsOf(batches.flat()).sort());
});

test('a stop lets the requests in progress end, and what was delivered is not delivered again', async () => {
  const [first, receiver] = [await w.replica(), await w.receiver()];
  const { account } = await w.subscribed(first, receiver);
  const [asked, release] = [gate(), gate()];
  receiver.answer = async (_, response) => {
    asked.open();
    await release.opened;
    response.end();
  };
  const events = eventsOf(account, ['a', 'a', 'a']);
  await first.events.append(account, events);
  await asked.opened;
  const stopped = first.stop();
  release.open();
  await stopped;
  expect(ids(receiver.accepted)).toEqual([events[0]!._id]);
  await w.replica();
  await w.isIdle(account);
  expect(ids(receiver.asked)).toEqual(idsOf(events));
});
