import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { createLog, createMetrics } from '@parley/runtime';
import { openBus } from '@parley/runtime/bus';
import { until } from '@parley/runtime/testing';
import { makeDataDir, writePrivate } from '../../deploy/embedded/src/data-dir.ts';
import { type Stack, type StackOptions, startStack } from '../../deploy/stack/start-stack.ts';
import { openStack } from '../e2e/system.ts';
import { prepared, type Stops } from '../e2e/world.ts';
import { startLoad } from './load.ts';
import { type Ends, expectWhole, hearEnds } from './whole.ts';

// Two systems start on a busy machine, and a lease expires after 30 seconds.
jest.setTimeout(240_000);

const SETTINGS = { EMBEDDINGS: 'none', CRAWL_ALLOW: '127.0.0.1/32', CRAWL_DELAY_MS: '0', OPENAI_BASE_URL: '' };
const READY_WITHIN_MS = 120_000;

/** Two of each process on one database, which is their bus, too; each half calls its own. */
async function startHalves(stops: Stops) {
  async function start(options: Omit<StackOptions, 'dataDir'>, secret?: string): Promise<Stack> {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-half-'));
    stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    await makeDataDir(dataDir);
    if (secret) await writePrivate(join(dataDir, 'secret'), secret);
    const stack = await startStack({ ...options, dataDir, embedded: true, trainers: 1 });
    stops.push(stack.stop);
    return stack;
  }
  const first = await start({ variables: SETTINGS });
  const { MONGODB_URI = '', OBJECTS_DIR = '' } = first.variables;
  const second = await start({ variables: { ...SETTINGS, MONGODB_URI, OBJECTS_DIR } }, first.secret);
  const mongodb = { uri: MONGODB_URI, database: 'parley_bus' };
  const bus = openBus({ mongodb }, createLog('test', 'silent'), createMetrics());
  const ends: Ends = hearEnds(bus);
  await bus.start?.();
  stops.push(async () => bus.stop());
  const [one, other] = [await openStack(first, stops), await openStack(second, stops)];
  return { first, second, ends, one, other, mongo: one.mongo };
}

const { first, second, ends, one, other, mongo, stop } = await prepared<
  { stop(): Promise<void> } & Awaited<ReturnType<typeof startHalves>>
>(startHalves);
afterAll(stop);

test('without Kafka, two of each process share the work, and lose and repeat nothing when one of each is killed at once', async () => {
  const loads = await Promise.all([startLoad(await one.account('Cleo')), startLoad(await other.account('Dora'))]);
  const rounds = () => Promise.all(loads.map((load) => load.round()));
  await rounds();
  const { gateway: _, auth: __, ...onTheBus } = first.processes;
  for (const killed of Object.values(onTheBus)) killed.kill('SIGKILL');
  await Promise.all(Object.values(onTheBus).map((killed) => killed.restart()));
  await until(
    () =>
      Promise.all([...Object.values(first.processes), ...Object.values(second.processes)].map((one) => one.unready())),
    (reasons) => reasons.every((reason) => reason === ''),
    READY_WITHIN_MS,
    250,
  );
  await rounds();
  for (const load of loads) await load.stop();
  for (const load of loads) await expectWhole(load, mongo, ends);
  expect(loads.every(({ sessions }) => sessions.every((turns) => turns.length > 1))).toBe(true);
});
