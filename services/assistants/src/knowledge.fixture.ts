import { timestampNow } from '@bufbuild/protobuf/wkt';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import {
  AppError,
  createLog,
  createRpcServer,
  notFound,
  permissionDenied,
  type RpcService,
  randomId,
  service,
} from '@parley/runtime';

export interface KnowledgeDouble {
  address: string;
  /** Adds an item of an account, trained unless told otherwise. */
  add(account: string, item?: { live?: boolean }): string;
  remove(id: string): void;
  /** What every search finds. */
  passages: { title: string; url: string; text: string; score: number; similarity?: number; coverage: number }[];
  /** The items that were searched, latest last. */
  searched: string[][];
  stop(): Promise<void>;
}

export const OPENING_HOURS = {
  title: 'Opening hours',
  url: 'https://shop.example/hours',
  text: 'The shop opens at nine in the morning. On Sundays it stays closed.',
  score: 1,
  similarity: 0.7,
  coverage: 1,
};

/** A knowledge service over real gRPC whose items and passages a test decides. */
export async function startKnowledge(secret: string): Promise<KnowledgeDouble> {
  const items = new Map<string, { account: string; live: boolean }>();
  const message = (id: string) => ({ id, ...(items.get(id)!.live && { liveSince: timestampNow() }) });
  const double: Omit<KnowledgeDouble, 'address' | 'stop'> = {
    add(account, { live = true } = {}) {
      const id = randomId();
      items.set(id, { account, live });
      return id;
    },
    remove: (id) => void items.delete(id),
    passages: [OPENING_HOURS],
    searched: [],
  };
  const handlers = {
    async getKnowledgeItem({ id }: { id: string }, call: { account: string }) {
      const item = items.get(id);
      if (!item) throw notFound('There is no such knowledge item.');
      if (item.account !== call.account) throw permissionDenied('This knowledge item belongs to another account.');
      return { item: message(id) };
    },
    batchGetKnowledgeItems: async ({ ids }: { ids: string[] }) => ({
      items: ids.filter((id) => items.has(id)).map(message),
    }),
    async search({ knowledgeIds }: { knowledgeIds: string[] }) {
      double.searched.push(knowledgeIds);
      return { passages: double.passages };
    },
  };
  const server = createRpcServer({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    log: createLog('knowledge', 'silent'),
    services: [service(KnowledgeService, { ...unimplemented(), ...handlers })],
  });
  const { port } = await server.start();
  return Object.assign(double, { address: `127.0.0.1:${port}`, stop: () => server.stop(0) });
}

function unimplemented() {
  const refuse = async () => {
    throw new AppError('unimplemented', 'Not in this test.');
  };
  const names = KnowledgeService.methods.map(({ localName }) => [localName, refuse]);
  return Object.fromEntries(names) as RpcService['handlers'] as Parameters<typeof service<typeof KnowledgeService>>[1];
}
