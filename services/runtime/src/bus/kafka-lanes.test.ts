import { expect, test } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { createLanes } from './kafka-lanes.ts';

/** Lanes whose work lasts until it is told to stop, before a consumer that asks to join. */
function newLanes() {
  const lanes = createLanes(
    (_, stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve())),
  );
  const assigner = lanes.assigner({ cluster: {} } as Parameters<typeof lanes.assigner>[0]);
  const join = () => assigner.protocol({ topics: ['t'] });
  const batch = { partition: 0, lastOffset: () => '0' };
  const payload = { batch, resolveOffset: () => {}, pause: () => () => {} } as unknown as EachBatchPayload;
  const begin = async () => {
    await lanes.eachBatch(payload);
    await lanes.eachBatch(payload); // The first one after joining is fetched again.
  };
  return { lanes, join, begin };
}

const stopped = () => new Promise((resolve) => setImmediate(resolve));

test('a consumer joins anew when its work has stopped, and is open for more only then', async () => {
  const { lanes, join, begin } = newLanes();
  lanes.open();
  await begin();
  expect(join).toThrow('Handlers are running.');
  expect(lanes.areOpen()).toBe(false);
  await stopped();
  join();
  expect(lanes.areOpen()).toBe(false);
  lanes.open();
  expect(lanes.areOpen()).toBe(true);
});

test('work that began before the consumer has joined twice in a row stops all the same', async () => {
  const { lanes, join, begin } = newLanes();
  lanes.open();
  await begin();
  lanes.open();
  expect(join).toThrow('Handlers are running.');
  await stopped();
  join();
});

test('a consumer that was closed never joins again', async () => {
  const { lanes, join, begin } = newLanes();
  lanes.open();
  await begin();
  await lanes.close();
  expect(join).toThrow('This consumer was given up.');
  lanes.open();
  expect(lanes.areOpen()).toBe(false);
});
