import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { dying, Killed } from './testing/dying.ts';
import { accepts, type Receiver } from './testing/receivers.ts';
import { eventsOf, webhookWorld } from './testing/world.ts';

const w = webhookWorld();

/** Everything came, first in the order of its resource, and nothing else. */
function expectAll({ accepted }: Receiver, events: ReturnType<typeof eventsOf>) {
  const first = [...new Set(accepted.map(({ id }) => id))];
  for (const resource of new Set(events.map((event) => event.resource))) {
    const ids = events.filter((event) => event.resource === resource).map(({ _id }) => _id);
    expect(first.filter((id) => ids.includes(id))).toEqual(ids);
  }
  expect(first).toHaveLength(events.length);
}

test('wherever a process dies while it stores and delivers events, another one delivers all of them, with the same ids', async () => {
  const setup = await w.replica({ idle: true });
  // A whole run takes fewer operations than this.
  for (let lives = 0; lives < 14; lives++) {
    const receiver = await w.receiver();
    const { account } = await w.subscribed(setup, receiver);
    const events = eventsOf(account, ['a', 'b', 'a', 'a', 'b']);
    const process = dying(w.db, lives);
    const first = await w.replica({ db: process.db });
    await first.events.append(account, events).catch((error) => expect(error).toBeInstanceOf(Killed));
    await until(() => process.isDead() || receiver.accepted.length === events.length);
    await first.stop();
    await w.expireClaims();
    const second = await w.replica();
    // The bus delivers again what was not acknowledged.
    await second.events.append(account, events);
    await w.isIdle(account);
    expectAll(receiver, events);
    await second.stop();
  }
});

test('wherever a receiver dies, before or after it accepted, it gets everything once it is back', async () => {
  const replica = await w.replica({ concurrency: 2 });
  const mortal = await w.receiver();
  const { account } = await w.subscribed(replica, mortal);
  const events = eventsOf(account, ['a', 'b', 'a', 'b', 'a', 'c']);
  const port = Number(new URL(mortal.url).port);
  const lifetimes: Receiver[] = [mortal];
  const all = () => lifetimes.flatMap(({ accepted }) => accepted);
  let requests = 0;
  const dies: Receiver['answer'] = async (message, response) => {
    const [before, after] = [requests % 5 === 1, requests % 5 === 3];
    requests++;
    if (!before) accepts(message, response);
    if (!before && !after) return;
    await lifetimes.at(-1)!.close();
    const next = await w.receiver(dies, port);
    lifetimes.push(next);
  };
  mortal.answer = dies;
  await replica.events.append(account, events);
  await w.isIdle(account);
  expect(lifetimes.length).toBeGreaterThan(2);
  const asked = new Set(lifetimes.flatMap(({ asked }) => asked.map(({ id }) => id)));
  expect([...asked].sort()).toEqual(events.map(({ _id }) => _id).sort());
  expect(new Set(all().map(({ id }) => id)).size).toBeGreaterThan(0);
});

test('a replica that was suspended loses its turn, and what it does afterwards changes nothing', async () => {
  const [setup, receiver] = [await w.replica({ idle: true }), await w.receiver()];
  const { account, id } = await w.subscribed(setup, receiver);
  await setup.events.append(account, eventsOf(account, ['a', 'a']));
  const suspended = await until(() => w.webhooks.findOne({ _id: id, due: { $exists: true } }));
  const claim = { _id: id, due_claim: randomId() };
  await w.webhooks.updateOne({ _id: id }, { $set: { due_claim: claim.due_claim, due: new Date(0) } });
  await w.replica();
  await w.isIdle(account);
  const { deliveryQueue } = await import('../store/queue.ts');
  const stale = { position: 0, held: suspended!.held, failures: 9, failing_since: new Date() };
  expect(await deliveryQueue(w.webhooks, { breakAfter: 5 }).save(account, claim, stale)).toBeNull();
  expect(await w.webhooks.findOne({ _id: id })).toMatchObject({ position: 2, failures: 0 });
});
