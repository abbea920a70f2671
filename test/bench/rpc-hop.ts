import { type CallOptions, type Client, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createLog } from '@parley/runtime';
import { contextSigner, newCall, randomId, rpcClient } from '@parley/runtime/rpc';
import { inTurns, rate, repeat } from './measure.ts';
import { startProgram } from './program.ts';
import type { Servers } from './rpc-hop-server.ts';
import type { Bench, Table } from './table.ts';

type Knowledge = Client<typeof KnowledgeService>;

/** Warm-up calls of each, until its code is compiled. */
const WARM_UP = 2_000;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const BUSY = 50;

/** The cost of one RPC with different libraries. Parley's own server and client also sign and verify the context. */
export const rpcHop: Bench = { name: 'rpc-hop', run };

/** Baseline first. */
const CANDIDATES: { name: string; client(servers: Servers): Knowledge }[] = [
  { name: 'Connect -> Connect, gRPC', client: ({ connect }) => createClient(KnowledgeService, grpc(connect)) },
  {
    name: 'Connect -> Connect, its own protocol',
    client: ({ connect }) => createClient(KnowledgeService, own(connect)),
  },
  { name: 'Parley (grpc-js) -> Connect, gRPC', client: ({ connect }) => rpcClient(KnowledgeService, at(connect)) },
  { name: 'Parley -> Parley (grpc-js)', client: ({ parley }) => rpcClient(KnowledgeService, at(parley)) },
];

const at = (port: number) => ({ address: `127.0.0.1:${port}` });
const grpc = (port: number) => createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
const own = (port: number) =>
  createConnectTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: '2', useBinaryFormat: true });

async function run(): Promise<Table> {
  await using server = await startProgram<Servers>(new URL('./rpc-hop-server.ts', import.meta.url));
  const onward = caller(server.ready.secret);
  const calls = CANDIDATES.map(({ client }) => callOf(client(server.ready), onward));
  for (const call of calls) await repeat(call, BUSY, WARM_UP);
  const measured = (callers: number) =>
    inTurns(
      ROUNDS,
      calls.map((call) => () => rate(call, callers, ROUND_MS)),
    );
  const busy = await measured(BUSY);
  const single = await measured(1);
  return {
    about: `A unary call that returns 25 knowledge items, with server and client in separate processes. Ratios are to the first row.`,
    head: ['client -> server', `${BUSY} in flight, calls/s`, 'ratio', 'one at a time, ms', 'ratio of the time'],
    rows: CANDIDATES.map(({ name }, i) => [
      name,
      busy[i]!.toFixed(0),
      (busy[i]! / busy[0]!).toFixed(2),
      (1000 / single[i]!).toFixed(2),
      (single[0]! / single[i]!).toFixed(2),
    ]),
  };
}

const callOf = (client: Knowledge, onward: () => CallOptions) => async () => {
  const { items } = await client.listKnowledgeItems({ limit: 25 }, onward());
  if (items.length !== 25) throw new Error('an answer is incomplete');
};

/** Every candidate gets the same options, those of a call between services. */
function caller(secret: string): () => CallOptions {
  const sign = contextSigner(secret, 'gateway');
  const log = createLog('bench');
  return () => {
    const context = { account: randomId(), requestId: randomId(), operation: randomId() };
    const { signal } = new AbortController();
    return newCall(context, { sign, log, deadline: Infinity, signal }).onward();
  };
}
