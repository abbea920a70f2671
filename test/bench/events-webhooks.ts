import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { createLog, createMetrics } from '@parley/runtime';
import { type Bus, CONVERSATIONS_TOPIC, openBus, signedBus } from '@parley/runtime/bus';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import { residentMib } from '@parley/runtime/testing';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { keepAlive } from './keep-alive.ts';
import { quantile } from './measure.ts';
import { startProgram } from './program.ts';
import { startSystem } from './system.ts';
import type { Section } from './table.ts';

const CHANGES = 60;
const ENDPOINTS = 100;
const HANGING = 10;
const TOLD = 40;
const TOLD_EVERY_MS = 200;
const PER_MINUTE = 10_000;
const ACCOUNTS = 20;
const CHATS = 50;
const TICK_MS = 100;
const SAMPLES = 10;
const WITHIN_MS = 120_000;
const PROCESS = new URL('events-process.ts', import.meta.url);

/** Measures the cost of delivering an event to an endpoint. */
export async function webhooks(minutes: number): Promise<Section[]> {
  return [await changes(), await hanging(), await sustained(minutes)];
}

/** A receiver on loopback, which notes when each event came first; one of `/hang` never answers. */
async function receiver() {
  const came = new Map<string, number>();
  const server = createServer(async (request, response) => {
    await text(request);
    if (request.url === '/hang') return;
    const key = `${request.url} ${request.headers['webhook-id']}`;
    if (!came.has(key)) came.set(key, performance.now());
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    came,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !holds(); await sleep(1))
    if (performance.now() > end) throw new Error('The webhooks did not come.');
}

/** From the response to a change until its webhook, with the whole system in one process. */
async function changes(): Promise<Section> {
  using told = await receiver();
  await using system = await startSystem({ variables: { CRAWL_ALLOW: '127.0.0.0/8' } });
  await system.send('POST', '/webhooks', { url: `${told.url}/`, events: ['knowledge.created'] });
  const ask = keepAlive(1);
  const [bare, full]: [number[], number[]] = [[], []];
  for (let i = 0; i < CHANGES; i++) {
    const before = told.came.size;
    const began = performance.now();
    await system.send('POST', '/knowledge/faq', { title: 'T' });
    await until(() => told.came.size > before);
    full.push(performance.now() - began);
    const posted = performance.now();
    await ask(`${told.url}/bare`, {
      method: 'POST',
      body: '{"type":"knowledge.created"}',
      headers: { 'webhook-id': randomId() },
    });
    bare.push(performance.now() - posted);
  }
  return {
    title: 'From a change to its webhook',
    head: ['what', 'ms, p50', 'ms, p95'],
    rows: [row('a bare post from the handler', bare), row('the change, and its webhook', full)],
  };
}

const row = (name: string, ms: number[]): string[] => [name, ...[0.5, 0.95].map((q) => quantile(ms, q).toFixed(1))];

/** The events service in a process of its own, on the bus in MongoDB. */
async function service<T>(work: (parts: Service) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-webhooks-'));
  const engine = await startEngine({ dataDir });
  const secret = randomId();
  const variables = { MONGODB_URI: engine.uri, PARLEY_SECRET: secret, HOST: '127.0.0.1', LOG_LEVEL: 'error' };
  const program = await startProgram<{ port: number; pid: number }>(PROCESS, {
    variables: { ...variables, CRAWL_ALLOW: '127.0.0.0/8', QUOTA_WEBHOOKS: '1000' },
  });
  const config = { mongodb: { uri: engine.uri, database: 'parley_bus' } };
  const bus = signedBus(openBus(config, createLog('bench', 'silent'), createMetrics()), {
    ...{ secret, role: 'conversations' },
  });
  await bus.start();
  const client = rpcClient(EventsService, { address: `127.0.0.1:${program.ready.port}` });
  try {
    return await work({
      bus,
      mib: () => residentMib(program.ready.pid),
      async subscribe(account, url) {
        const as = callAs(secret, { account, operation: randomId() }, { role: 'gateway', timeoutMs: 10_000 });
        await client.createWebhook({ url, events: ['*'], enabled: true }, as);
      },
    });
  } finally {
    await client[Symbol.asyncDispose]();
    await bus.stop();
    await program[Symbol.asyncDispose]();
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Service {
  bus: Bus;
  mib(): number;
  subscribe(account: string, url: string): Promise<void>;
}

const factOf = (accountId: string, entityId: string) => {
  const fact = create(EventSchema, {
    ...{ id: randomId(), accountId, entityId, seq: 1, at: timestampNow() },
    payload: { case: 'chatMessageAdded', value: { chatbotId: accountId, messageId: randomId() } },
  });
  return { key: entityId, id: fact.id, value: toBinary(EventSchema, fact) };
};

/** One account's events to many endpoints, with and without some that hang. */
async function hanging(): Promise<Section> {
  const measure = (hang: number) =>
    service(async ({ bus, subscribe }) => {
      using told = await receiver();
      const accounts = [randomId(), randomId()];
      for (let i = 0; i < ENDPOINTS; i++)
        await subscribe(accounts[i % 2]!, `${told.url}${i < hang ? '/hang' : `/${i}`}`);
      const published: [string, number][] = [];
      for (let i = 0; i < TOLD; i++) {
        const facts = accounts.map((account) => factOf(account, `${account.slice(0, 30)}${i % CHATS}`));
        for (const { id } of facts) published.push([id, performance.now()]);
        await bus.publish(CONVERSATIONS_TOPIC, facts);
        await sleep(TOLD_EVERY_MS);
      }
      await until(() => told.came.size === TOLD * (ENDPOINTS - hang));
      const at = new Map(published);
      return [...told.came].map(([key, came]) => came - at.get(key.split(' ')[1]!)!);
    });
  return {
    title: `${ENDPOINTS} endpoints of two accounts, ${TOLD} events each, from the bus to the receiver`,
    head: ['what', 'ms, p50', 'ms, p95'],
    rows: [row('none hangs', await measure(0)), row(`${HANGING} hang: the others`, await measure(HANGING))],
  };
}

/** 10,000 events a minute, to a webhook in each of 20 accounts. */
async function sustained(minutes: number): Promise<Section> {
  return service(async ({ bus, mib, subscribe }) => {
    using told = await receiver();
    const accounts = Array.from({ length: ACCOUNTS }, randomId);
    for (const account of accounts) await subscribe(account, `${told.url}/${account}`);
    const [ticks, perTick] = [(minutes * 60_000) / TICK_MS, (PER_MINUTE * TICK_MS) / 60_000];
    const at = new Map<string, number>();
    const samples: { lag: number; mib: number }[] = [];
    let sent = 0;
    for (let tick = 1; tick <= ticks; tick++) {
      const due = performance.now() + TICK_MS;
      const facts = Array.from({ length: Math.round(tick * perTick) - sent }, () => {
        const account = accounts[sent++ % ACCOUNTS]!;
        return factOf(account, `${account.slice(0, 30)}${sent % CHATS}`);
      });
      for (const { id } of facts) at.set(id, performance.now());
      await bus.publish(CONVERSATIONS_TOPIC, facts);
      if (tick % Math.floor(ticks / SAMPLES) === 0) samples.push({ lag: sent - told.came.size, mib: mib() });
      await sleep(Math.max(0, due - performance.now()));
    }
    await until(() => told.came.size === sent);
    const latencies = [...told.came].map(([key, came]) => came - at.get(key.split(' ')[1]!)!);
    const halves = <T>(all: T[]) => [all.slice(0, all.length / 2), all.slice(all.length / 2)];
    return {
      title: `10,000 events a minute for ${minutes} min, to a webhook in each of ${ACCOUNTS} accounts`,
      head: ['what', 'first half', 'second half'],
      rows: [
        ['not received yet, most', ...halves(samples).map((half) => `${Math.max(...half.map(({ lag }) => lag))}`)],
        [
          'memory of the events service, MiB, most',
          ...halves(samples).map((half) => Math.max(...half.map((s) => s.mib)).toFixed(0)),
        ],
        ['from the bus to the receiver, ms, p95', ...halves(latencies).map((half) => quantile(half, 0.95).toFixed(0))],
      ],
    };
  });
}
