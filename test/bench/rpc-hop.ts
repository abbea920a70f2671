/**
 * What one RPC costs, by the libraries that carry it: a unary call that returns 25 knowledge items, server and client in
 * a process each. Parley's own server and client also sign and verify the caller's context.
 *
 *     node --import tsx test/bench/rpc-hop.ts
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type CallOptions, type Client, createClient } from '@connectrpc/connect';
import { connectNodeAdapter, createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import {
  type KnowledgeItem,
  type KnowledgeItemSchema,
  KnowledgeService,
  KnowledgeType,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { contextSigner, createLog, createRpcServer, newCall, randomId, rpcClient } from '@parley/runtime';

type Knowledge = Client<typeof KnowledgeService>;
type Servers = { connect: number; parley: number };

const secret = 'of this bench';
const rounds = 5;
const roundMs = 1_500;

/** Baseline first. */
const candidates: { name: string; client(ports: Servers): Knowledge }[] = [
  { name: 'Connect -> Connect, gRPC', client: ({ connect }) => createClient(KnowledgeService, grpc(connect)) },
  {
    name: 'Connect -> Connect, its own protocol',
    client: ({ connect }) => createClient(KnowledgeService, own(connect)),
  },
  { name: 'Parley (grpc-js) -> Connect, gRPC', client: ({ connect }) => rpcClient(KnowledgeService, at(connect)) },
  { name: 'Connect -> Parley (grpc-js)', client: ({ parley }) => createClient(KnowledgeService, grpc(parley)) },
  { name: 'Parley -> Parley (grpc-js)', client: ({ parley }) => rpcClient(KnowledgeService, at(parley)) },
];

const at = (port: number) => ({ address: `127.0.0.1:${port}` });
const grpc = (port: number) => createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
const own = (port: number) =>
  createConnectTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: '2', useBinaryFormat: true });

async function serve(): Promise<void> {
  const listKnowledgeItems = async () => ({ items: items(), total: 25 });
  const connect = createServer(
    connectNodeAdapter({ routes: (router) => router.service(KnowledgeService, { listKnowledgeItems }) }),
  );
  connect.listen(0, '127.0.0.1');
  await once(connect, 'listening');
  const parley = createRpcServer({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    services: [{ desc: KnowledgeService, handlers: { listKnowledgeItems } }],
    log: createLog('bench'),
  });
  const ports: Servers = { connect: (connect.address() as AddressInfo).port, parley: (await parley.start()).port };
  process.send!(ports);
}

function items(): MessageInitShape<typeof KnowledgeItemSchema>[] {
  return Array.from({ length: 25 }, (_, i) => ({
    id: `01890a5d-ac96-774b-bcce-b302099a80${i + 10}`,
    type: KnowledgeType.WEBSITE,
    createdAt: timestampFromMs(1_790_000_000_000 + i),
    trainedAt: timestampFromMs(1_790_000_100_000 + i),
    liveSince: timestampFromMs(1_790_000_100_000 + i),
    details: { case: 'website' as const, value: { baseUrl: `https://docs.example.org/section-${i}/` } },
  })) satisfies MessageInitShape<typeof KnowledgeItemSchema>[];
}

async function measure(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url));
  try {
    const ports = await portsOf(server);
    const clients = candidates.map(({ client }) => client(ports));
    const busy = await throughputs(clients, 50);
    const single = await throughputs(clients, 1);
    report(busy, single);
  } finally {
    server.kill();
  }
  process.exit(0); // Connect's sessions would stay open for 15 minutes.
}

async function portsOf(server: ChildProcess): Promise<Servers> {
  const [ports] = await once(server, 'message', { signal: AbortSignal.timeout(30_000) });
  return ports as Servers;
}

/** Calls per second of each client: the median of rounds that take turns, so that a noisy moment meets all alike. */
async function throughputs(clients: Knowledge[], inFlight: number): Promise<number[]> {
  const rates: number[][] = clients.map(() => []);
  for (const client of clients) await round(client, inFlight);
  for (let i = 0; i < rounds; i++) {
    for (const [c, client] of clients.entries()) rates[c]!.push(await round(client, inFlight));
  }
  return rates.map((of) => of.sort((a, b) => a - b)[rounds >> 1]!);
}

async function round(client: Knowledge, inFlight: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  const caller = async () => {
    while (performance.now() - began < roundMs) {
      const { items }: { items: KnowledgeItem[] } = await client.listKnowledgeItems({ limit: 25 }, onward());
      if (items.length !== 25) throw new Error('an answer is incomplete');
      calls++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (calls / (performance.now() - began)) * 1000;
}

const { sign } = contextSigner(secret);
const log = createLog('bench');

/** Every candidate gets the same options, those of a service's call to another. */
function onward(): CallOptions {
  const context = { account: randomId(), requestId: randomId(), operation: randomId() };
  const { signal } = new AbortController();
  return newCall(context, { sign, log, deadline: Infinity, signal }).onward();
}

function report(busy: number[], single: number[]): void {
  const rows = candidates.map(({ name }, i) => [
    name,
    busy[i]!.toFixed(0),
    (busy[i]! / busy[0]!).toFixed(2),
    (1000 / single[i]!).toFixed(2),
    (single[i]! / single[0]!).toFixed(2),
  ]);
  const head = ['client -> server', '50 in flight, calls/s', 'ratio', 'one at a time, ms', 'ratio'];
  for (const row of [head, head.map(() => '---'), ...rows]) process.stdout.write(`| ${row.join(' | ')} |\n`);
}

if (process.send) await serve();
else await measure();
