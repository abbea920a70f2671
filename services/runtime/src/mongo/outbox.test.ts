import { expect, test } from '@jest/globals';
import { invalidArgument } from '../errors.ts';
import { until } from '../testing/index.ts';
import { createRelay, outbox } from './outbox.ts';
import { log, queued, recordingBus, relayed, thing, things } from './state.fixture.ts';
import { compute } from './write.ts';

test('every fact is relayed, in the order in which it happened, and numbered without a gap', async () => {
  const bus = recordingBus();
  const relay = createRelay({ collection: things as never, bus, topic: 't', log });
  const _id = await thing();
  for (const generation of [2, 3, 4]) await things.updateOne({ _id }, outbox(queued(generation)));
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(bus.events.map((e) => e.seq)).toEqual([1, 2, 3, 4]);
  expect(bus.events.map((e) => e.fact.value)).toMatchObject([1, 2, 3, 4].map((generation) => ({ generation })));
  expect(bus.events[0]).toMatchObject({ accountId: 'a', entityId: _id });
});

test('a fact that is added while its document is being relayed is relayed too', async () => {
  const _id = await thing(queued(1));
  let added = false;
  const bus = recordingBus(async () => {
    if (added) return;
    added = true;
    await things.updateOne({ _id }, outbox(queued(2)));
  });
  const relay = createRelay({ collection: things as never, bus, topic: 't', log });
  await relay.start();
  await until(() => bus.events.length >= 2);
  await relay.stop();
  expect(bus.events.map((e) => e.seq)).toEqual([1, 2]);
});

test('a fact survives a bus that is away, and a relay that died with it in hand', async () => {
  const _id = await thing();
  let away = true;
  const bus = recordingBus(async () => {
    if (away) throw new Error('away');
  });
  const first = createRelay({ collection: things as never, bus, topic: 't', log });
  await first.start();
  await until(async () => (await things.findOne({ _id }))!.outbox_due!.getTime() > Date.now() + 10_000);
  await first.stop();
  // The claim of the dead relay runs out.
  await things.updateOne({ _id }, [compute({ outbox_due: '$$NOW' })]);
  away = false;
  const second = createRelay({ collection: things as never, bus, topic: 't', log });
  await second.start();
  await until(relayed);
  await second.stop();
  expect(bus.events).toHaveLength(1);
});

test('two relays publish each fact at least once and lose none', async () => {
  const bus = recordingBus();
  const relays = [1, 2].map(() => createRelay({ collection: things as never, bus, topic: 't', log }));
  const ids = await Promise.all(Array.from({ length: 20 }, () => thing()));
  await Promise.all(relays.map((r) => r.start()));
  await until(relayed);
  await Promise.all(relays.map((r) => r.stop()));
  expect(new Set(bus.events.map((e) => e.entityId))).toEqual(new Set(ids));
});

test('what is due is relayed together, and in each document in its order', async () => {
  const batches: number[] = [];
  const bus = recordingBus(async (messages) => void batches.push(messages.length));
  const ids = await Promise.all(Array.from({ length: 20 }, () => thing()));
  for (const _id of ids) await things.updateOne({ _id }, outbox(queued(2)));
  const relay = createRelay({ collection: things as never, bus, topic: 't', log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(batches).toEqual([40]);
  for (const _id of ids) expect(bus.events.filter((e) => e.entityId === _id).map((e) => e.seq)).toEqual([1, 2]);
});

test('an event that the bus refuses is kept, and keeps no other back', async () => {
  const refused = await thing();
  const ids = await Promise.all(Array.from({ length: 3 }, () => thing()));
  const bus = recordingBus(async (messages) => {
    if (messages.some(({ key }) => key === refused)) throw invalidArgument('too large');
  });
  const relay = createRelay({ collection: things as never, bus, topic: 't', log });
  await relay.start();
  await until(async () => (await things.countDocuments({ outbox_due: { $exists: true } })) === 1);
  await relay.stop();
  expect(new Set(bus.events.map((e) => e.entityId))).toEqual(new Set(ids));
  expect((await things.findOne({ _id: refused }))!.outbox).toHaveLength(1);
});
