import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { CATALOGUE, type EventName } from '@parley/catalogue';
import { createLog, createMetrics, randomId } from '@parley/runtime';
import { parseAllowList } from '@parley/runtime/outbound';
import { freshDatabase, testCall, until } from '@parley/runtime/testing';
import { type Db, MongoClient } from 'mongodb';
import type { NewEvent } from '../../domain/event.ts';
import { TIMING, type Timing } from '../../domain/progress.ts';
import * as deliveryRpcs from '../../rpc/deliveries.ts';
import * as webhookRpcs from '../../rpc/webhooks.ts';
import { migrations } from '../../store/migrations.ts';
import { webhookCollection } from '../../store/webhooks.ts';
import { createWebhooks } from '../create-webhooks.ts';
import { accepts, type Receiver, receiver } from './receivers.ts';

interface ReplicaOptions {
  timing?: Partial<Timing>;
  timeoutMs?: number;
  concurrency?: number;
  endpoints?: number;
  most?: number;
  allow?: string;
  /** Its view of the database. */
  db?: Db;
  /** Delivers nothing by itself. */
  idle?: true;
}

/** So that tests need not wait; not so short that a slow machine takes it for a failure. */
const QUICK: Partial<Timing> = { firstPauseMs: 20, longestPauseMs: 200, firstProbeMs: 20, longestProbeMs: 200 };

export const SECRET = 'a secret of at least thirty-two characters';
const request = (fields: object) => fields as never;

/** A database, replicas of what delivers, and receivers, which all end with the test. */
export function webhookWorld() {
  const database = freshDatabase();
  const client = new MongoClient(database.uri);
  const db = client.db(database.name);
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    for (const { run } of migrations) await run(db, AbortSignal.timeout(60_000));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(async () => {
    await client.close();
    await database.drop();
  });

  /** One process. */
  async function replica(options: ReplicaOptions = {}) {
    const { timeoutMs = 5_000, concurrency = 4, endpoints = 20, most = 20, allow = '127.0.0.0/8' } = options;
    const webhooks = { most, allow: parseAllowList(allow), timeoutMs, concurrency, endpoints };
    const view = options.db ?? db;
    const { dependencies, components } = createWebhooks({ secret: SECRET, kept: 1_000_000, webhooks } as never, {
      db: view,
      log: createLog('events', 'silent'),
      metrics: createMetrics(),
      timing: { ...TIMING, ...QUICK, ...options.timing },
    });
    const running = components.filter(({ name }) => !options.idle && name !== 'purge of webhooks');
    for (const component of running) await component.start?.(new AbortController().signal);
    const stop = async () => {
      for (const component of [...running].reverse()) await component.stop?.();
    };
    ends.push(stop);
    return { ...dependencies, stop };
  }
  type Replica = Awaited<ReturnType<typeof replica>>;

  /** The RPCs of a replica, as an account. */
  const as = (account: string, parts: Replica) => {
    const call = (operation: string) => testCall({ account, operation });
    const all = { ...webhookRpcs, ...deliveryRpcs };
    return <N extends keyof typeof all>(name: N, fields: object = {}, operation = randomId()) =>
      (all[name] as never as (p: Replica) => (r: never, c: object) => Promise<never>)(parts)(
        request(fields),
        call(operation),
      ) as ReturnType<ReturnType<(typeof all)[N]>>;
  };

  return {
    database,
    db,
    replica,
    as,
    webhooks: webhookCollection(db),

    async receiver(answer = accepts, port = 0): Promise<Receiver> {
      const made = await receiver(answer, port);
      ends.push(made.close);
      return made;
    },

    /** An account with a webhook of a receiver. */
    async subscribed(parts: Replica, { url }: Pick<Receiver, 'url'>, events: string[] = ['*'], account = randomId()) {
      const { webhook, secret } = await as(account, parts)('createWebhook', { url, events, enabled: true });
      return { account, id: webhook!.id!, secret: secret! };
    },

    /** The claims of processes that died have expired. */
    expireClaims: () =>
      webhookCollection(db).updateMany({ due_claim: { $exists: true } }, { $set: { due: new Date(0) } }),

    /** Nothing waits to be delivered to the account's webhooks. */
    isIdle: (account: string, withinMs?: number) =>
      until(
        () => webhookCollection(db).find({ account, enabled: true }).toArray(),
        (all) => all.every(({ held, position, head, due }) => held.length === 0 && position === head && !due),
        withinMs,
      ),
  };
}

/** Events of resources, numbered in `data.n` from 1. */
export const eventsOf = (account: string, resources: readonly string[], type: EventName = 'chat.begun'): NewEvent[] =>
  resources.map((resource, i) => ({
    ...{ _id: randomId(), account, type, version: 1, resource, at: new Date() },
    data: { ...CATALOGUE[type].example, resource, n: i + 1 },
  }));
