import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { until } from '../testing/index.ts';
import { monotonicNow } from './call.ts';
import { atEnd, auth, connect, edgeCall, refusal, startServer } from './testing/rpc.ts';

/** A proxy to a server that can start swallowing everything, as if the machine had lost power. */
async function startBlackHole(port: number) {
  const sockets: Socket[] = [];
  let vanished = false;
  const server = createServer((client) => {
    const upstream = connectSocket(port, '127.0.0.1');
    sockets.push(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (bytes) => void (vanished || to.write(bytes)));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const vanish = () => {
    vanished = true;
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, vanish };
}

const LIMIT_MS = 15_000;
const call = () => edgeCall({ deadline: monotonicNow() + 60_000 });

/** Each waits for many seconds, so all run at once. */
const SCENARIOS: [guarantee: string, holds: () => Promise<void>][] = [
  [
    'a call to a replica that vanished fails as unavailable within 15 s, whatever its deadline',
    async () => {
      const server = await startServer([auth({ verifyKey: async () => ({}) })]);
      const way = await startBlackHole(server.port);
      const client = connect(way.address);
      await client.verifyKey({}, call().onward());
      way.vanish();
      const began = performance.now();
      expect((await refusal(client.verifyKey({}, call().onward()))).code).toBe('unavailable');
      expect(performance.now() - began).toBeLessThan(LIMIT_MS);
    },
  ],
  [
    'calls in flight to a replica that vanished move to another one within 15 s, and no later call is lost',
    async () => {
      const named = (name: string) => startServer([auth({ verifyKey: async () => ({ account: { name } }) })]);
      const [doomed, other] = await Promise.all([named('doomed'), named('other')]);
      const way = await startBlackHole(doomed.port);
      const client = connect(`ipv4:${way.address},${other.address}`);
      const ask = async () => (await client.verifyKey({}, call().onward())).account?.name;
      const names = () => Promise.all([ask(), ask(), ask(), ask()]);
      await until(names, (all) => new Set(all).size === 2);
      way.vanish();
      const began = performance.now();
      expect(new Set(await names())).toEqual(new Set(['other']));
      expect(performance.now() - began).toBeLessThan(LIMIT_MS);
      expect(new Set(await names())).toEqual(new Set(['other']));
    },
  ],
  [
    'a call that outlives its connection finishes on it, once',
    async () => {
      let calls = 0;
      const verifyKey = async () => {
        calls++;
        // Longer than the time between two pings of the client.
        await sleep(8_000);
        return {};
      };
      const server = await startServer([auth({ verifyKey })], { maxConnectionAgeMs: 500 });
      await connect(server.address).verifyKey({}, call().onward());
      expect(calls).toBe(1);
    },
  ],
  [
    'a server tolerates the pings of an idle client',
    async () => {
      const server = await startServer([auth({ verifyKey: async () => ({}) })], { maxConnectionAgeMs: 600_000 });
      let connections = 0;
      const relay = createServer((socket) => {
        connections++;
        const upstream = connectSocket(server.port, '127.0.0.1');
        socket.pipe(upstream).pipe(socket);
        for (const each of [socket, upstream]) each.on('error', () => {});
      });
      await once(relay.listen(0, '127.0.0.1'), 'listening');
      atEnd(async () => void relay.close());
      const client = connect(`127.0.0.1:${(relay.address() as AddressInfo).port}`);
      await client.verifyKey({}, call().onward());
      const began = performance.now();
      // Long enough for several pings.
      await until(() => performance.now() - began > 12_000);
      await client.verifyKey({}, call().onward());
      expect(connections).toBe(1);
    },
  ],
];

let outcomes: PromiseSettledResult<void>[];
beforeAll(async () => {
  outcomes = await Promise.allSettled(SCENARIOS.map(([, holds]) => holds()));
});

test.each(SCENARIOS.map(([guarantee], i) => [guarantee, i] as const))('%s', (_, i) => {
  const outcome = outcomes[i]!;
  if (outcome.status === 'rejected') throw outcome.reason;
  expect(outcome.status).toBe('fulfilled');
});
