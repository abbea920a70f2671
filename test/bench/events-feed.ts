import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampNow } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { EventsService, type FeedEvent } from '@parley/proto/events/v1/events_service_pb';
import { createLog, createMetrics } from '@parley/runtime';
import { CONVERSATIONS_TOPIC, openBus, signedBus } from '@parley/runtime/bus';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import { residentMib } from '@parley/runtime/testing';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { quantile } from './measure.ts';
import { type Program, startProgram } from './program.ts';
import type { Section } from './table.ts';

const PER_MINUTE = 10_000;
const ACCOUNTS = 20;
const CHATS = 10;
/** Facts are published, and samples taken, this often. */
const TICK_MS = 100;
const SAMPLES = 10;
const READ_EVERY_MS = 200;
const DRAINED_WITHIN_MS = 120_000;
const PROCESS = new URL('events-process.ts', import.meta.url);

interface Sample {
  lag: number;
  mib: number;
}

export interface Fed {
  section: Section;
  says: string;
  met: boolean;
}

/** Publishes facts for some minutes, half-way kills the events service, and reads the feed of every account meanwhile. */
export async function feed(minutes: number): Promise<Fed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-events-'));
  const engine = await startEngine({ dataDir });
  const secret = randomId();
  const variables = { MONGODB_URI: engine.uri, PARLEY_SECRET: secret, HOST: '127.0.0.1', LOG_LEVEL: 'error' };
  const start = () => startProgram<{ port: number; pid: number }>(PROCESS, { variables });
  let events = await start();
  const config = { mongodb: { uri: engine.uri, database: 'parley_bus' } };
  const bus = signedBus(openBus(config, createLog('bench', 'silent'), createMetrics()), {
    ...{ secret, role: 'conversations' },
  });
  await bus.start();
  const accounts = Array.from({ length: ACCOUNTS }, () => readerOf(secret));
  const stopReading = new AbortController();
  try {
    const reading = accounts.map(({ read }) => read(() => events, stopReading.signal));
    const published = new Map(accounts.map(({ account }) => [account, [] as string[]]));
    const [ticks, perTick] = [(minutes * 60_000) / TICK_MS, (PER_MINUTE * TICK_MS) / 60_000];
    const samples: Sample[] = [];
    let sent = 0;
    for (let tick = 1; tick <= ticks; tick++) {
      const due = performance.now() + TICK_MS;
      const facts = Array.from({ length: Math.round(tick * perTick) - sent }, () =>
        factOf(accounts[sent++ % ACCOUNTS]!),
      );
      for (const { id, accountId } of facts) published.get(accountId)!.push(id);
      await bus.publish(CONVERSATIONS_TOPIC, facts.map(messageOf));
      if (tick === Math.floor(ticks / 2)) {
        process.kill(events.ready.pid, 'SIGKILL');
        events = await start();
      }
      if (tick % Math.floor(ticks / SAMPLES) === 0)
        samples.push({ lag: await bus.lag(CONVERSATIONS_TOPIC, 'events'), mib: residentMib(events.ready.pid) });
      await sleep(Math.max(0, due - performance.now()));
    }
    for (const end = performance.now() + DRAINED_WITHIN_MS; performance.now() < end; await sleep(TICK_MS))
      if ((await bus.lag(CONVERSATIONS_TOPIC, 'events')) === 0) break;
    await sleep(2 * READ_EVERY_MS + 1_000);
    stopReading.abort();
    await Promise.all(reading);
    return report(minutes, accounts, published, samples);
  } finally {
    stopReading.abort();
    await bus.stop();
    await Promise.resolve(events[Symbol.asyncDispose]()).catch(() => {});
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Reader = ReturnType<typeof readerOf>;

/** A program that pages through the feed of an account, and goes on from where it was. */
function readerOf(secret: string) {
  const account = randomId();
  const chats = Array.from({ length: CHATS }, randomId);
  const seen: FeedEvent[] = [];
  const latencies: number[] = [];
  return {
    account,
    chats,
    seen,
    latencies,
    async read(service: () => Program<{ port: number }>, signal: AbortSignal) {
      let position = 0;
      while (!signal.aborted) {
        await using client = rpcClient(EventsService, { address: `127.0.0.1:${service().ready.port}` });
        try {
          for (;;) {
            const as = callAs(secret, { account }, { role: 'gateway', timeoutMs: 10_000 });
            const page = await client.listEvents({ after: position, limit: 100 }, as);
            const now = Date.now();
            for (const event of page.items) latencies.push(now - timestampDate(event.at!).getTime());
            seen.push(...page.items);
            position = page.position;
            if (!page.hasMore) await sleep(READ_EVERY_MS, undefined, { signal });
          }
        } catch {
          // It was killed, or the reader stops.
          if (!signal.aborted) await sleep(READ_EVERY_MS);
        }
      }
    },
  };
}

const factOf = ({ account, chats }: Reader) =>
  create(EventSchema, {
    ...{ id: randomId(), accountId: account, seq: 1, at: timestampNow() },
    entityId: chats[Math.floor(Math.random() * CHATS)]!,
    payload: { case: 'chatMessageAdded', value: { chatbotId: account, messageId: randomId() } },
  });

const messageOf = (fact: ReturnType<typeof factOf>) => ({
  key: fact.entityId,
  id: fact.id,
  value: toBinary(EventSchema, fact),
});

function report(minutes: number, accounts: Reader[], published: Map<string, string[]>, samples: Sample[]): Fed {
  const faults = accounts.filter(({ account, seen }) => {
    const wanted = new Set(published.get(account));
    const isGapless = seen.every(({ seq }, i) => seq === i + 1);
    return !isGapless || seen.length !== wanted.size || seen.some(({ id }) => !wanted.has(id));
  });
  const count = accounts.reduce((sum, { seen }) => sum + seen.length, 0);
  const latencies = accounts.flatMap((each) => each.latencies);
  const [lags, mibs] = [samples.map(({ lag }) => lag), samples.map(({ mib }) => mib)];
  const met = faults.length === 0;
  return {
    section: {
      title: 'The feed',
      head: ['what', 'first half', 'second half'],
      rows: [
        ['lag of the group, events, most', ...halves(lags).map((half) => `${Math.max(...half)}`)],
        ['memory of the events service, MiB, most', ...halves(mibs).map((half) => Math.max(...half).toFixed(0))],
        ['from fact to reader, ms, p50 / p95', ...halves(latencies).map(shown)],
      ],
    },
    says: `${count} events of ${ACCOUNTS} accounts in ${minutes} min, with kill -9 of the events service half-way: the readers of ${faults.length} accounts missed some, saw some twice, or saw a gap.`,
    met,
  };
}

const halves = <T>(all: readonly T[]): [T[], T[]] => {
  const middle = Math.floor(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
};

const shown = (ms: number[]): string => `${quantile(ms, 0.5).toFixed(0)} / ${quantile(ms, 0.95).toFixed(0)}`;
