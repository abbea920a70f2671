import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, readEnv, readObjectsConfig } from '@parley/runtime';
import { openObjects } from '@parley/runtime/objects';
import { MongoClient } from 'mongodb';
import { type StackDescription, startStack } from '../../deploy/stack/start-stack.ts';
import { accountOn, openerOn, prepared, type Stops, type World, type WorldOptions, world } from './world.ts';

/** A whole system as its users see it, and its stored data. */
export type System = Omit<World, 'parley' | 'uri' | 'dataDir'>;

/**
 * The system that an end-to-end test uses: a separate one in this process or, if PARLEY_STACK describes a stack of
 * processes on real servers, that stack. The stack is shared, and whoever runs the tests sets it up; only a test with its
 * own model server gets separate processes, on the same servers.
 */
export async function system<T = void>(
  options: WorldOptions,
  prepare?: (bare: System) => Promise<T>,
): Promise<System & T> {
  const path = process.env.PARLEY_STACK;
  if (!path) return world(options, prepare);
  return prepared(async (stops) => {
    const running: StackDescription = JSON.parse(await readFile(path, 'utf8'));
    return openStack(options.embeddings === 'openai' ? await ownStack(running, options, stops) : running, stops);
  }, prepare);
}

async function ownStack({ variables }: StackDescription, options: WorldOptions, stops: Stops) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-own-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const own = { ...variables, ...options.variables, EMBEDDINGS: options.embeddings, MONGODB_URI: '' };
  const stack = await startStack({ dataDir, variables: own, trainers: 1 });
  stops.push(stack.stop);
  return stack;
}

/** Connects to a running stack, and creates the tests' accounts on it. */
export async function openStack(stack: StackDescription, stops: Stops): Promise<Omit<System, 'stop'>> {
  const mongo = new MongoClient(stack.variables['MONGODB_URI']!);
  stops.push(() => mongo.close());
  const objects = openObjects(readObjectsConfig(readEnv(stack.variables)), createLog('test', 'silent'));
  stops.push(async () => objects.stop?.());
  const account = accountOn(stack);
  return {
    baseUrl: stack.endpoints.gateway,
    a: await account('Ada'),
    b: await account('Ben'),
    account,
    open: openerOn(stack),
    mongo,
    objects,
  };
}
