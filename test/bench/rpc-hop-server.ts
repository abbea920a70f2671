/** The servers of `rpc-hop.ts`: one method that returns 25 knowledge items, with two libraries. */
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  type KnowledgeItemSchema,
  KnowledgeService,
  KnowledgeType,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createLog } from '@parley/runtime';
import { createRpcServer, randomId } from '@parley/runtime/rpc';
import { tellReady } from './program.ts';

/** The port of each, and what Parley's signs with. */
export interface Servers {
  connect: number;
  parley: number;
  secret: string;
}

const secret = randomId();

const listKnowledgeItems = async () => ({ items: items(), total: 25 });

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

async function serve(): Promise<Servers> {
  const connect = createServer(
    connectNodeAdapter({ routes: (router) => router.service(KnowledgeService, { listKnowledgeItems }) }),
  );
  connect.listen(0, '127.0.0.1');
  await once(connect, 'listening');
  const parley = createRpcServer({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    role: 'knowledge',
    callers: ['gateway'],
    services: [{ desc: KnowledgeService, handlers: { listKnowledgeItems } }],
    // A connection that ends within a measurement fails the calls of clients that do not reconnect.
    maxConnectionAgeMs: 3_600_000,
    log: createLog('bench'),
  });
  return { connect: (connect.address() as AddressInfo).port, parley: (await parley.start()).port, secret };
}

tellReady(await serve());
