import { timestampNow } from '@bufbuild/protobuf/wkt';
import { KnowledgeService, type SearchRequest } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { AppError, createLog, notFound, permissionDenied } from '@parley/runtime';
import { createRpcServer, type Handlers, OPERATOR, randomId, service } from '@parley/runtime/rpc';

export interface FoundPassage {
  knowledgeId?: string;
  id?: string;
  title: string;
  url: string;
  text: string;
  score: number;
  evidence: number;
  relatedness?: number;
  headings?: string[];
  section?: string;
  sectionId?: string;
  language?: string;
  isFaq?: boolean;
}

type Searched = Pick<SearchRequest, 'knowledgeIds' | 'query' | 'limit' | 'context'>;

export interface KnowledgeDouble {
  address: string;
  /** Adds an item of an account, trained by default. */
  add(account: string, item?: { live?: boolean }): string;
  remove(id: string): void;
  /** The passages that every search finds, but for those below. */
  passages: FoundPassage[];
  /** The passages that a search for just this finds. */
  passagesFor: Record<string, FoundPassage[]>;
  /** The items that were searched, latest last. */
  searched: string[][];
  /** The searches, latest last. */
  searches: Searched[];
  stop(): Promise<void>;
}

export const OPENING_HOURS = {
  title: 'Opening hours',
  url: 'https://shop.example/hours',
  text: 'The shop opens at nine in the morning. On Sundays it stays closed.',
  score: 1,
  evidence: 0.9,
};

/** A knowledge service over real gRPC with items and passages that a test sets. */
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
    passagesFor: {},
    searched: [],
    searches: [],
  };
  const handlers = {
    async getKnowledgeItem({ id }: { id: string }, call: { account: string }) {
      const item = items.get(id);
      if (!item) throw notFound('There is no such knowledge item.');
      if (item.account !== call.account) throw permissionDenied('This knowledge item belongs to another account.');
      return { item: message(id) };
    },
    batchGetKnowledgeItems: async ({ ids }: { ids: string[] }, call: { account: string }) => ({
      items: ids.filter((id) => items.get(id)?.account === call.account).map(message),
    }),
    async search({ knowledgeIds, query, limit, context }: Searched) {
      double.searched.push(knowledgeIds);
      double.searches.push({ knowledgeIds, query, limit, context });
      const passages = double.passagesFor[query] ?? double.passages;
      return { passages, searched: [...context, query].join(' ') };
    },
  };
  const server = createRpcServer({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    role: 'knowledge',
    callers: ['assistants', OPERATOR],
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
  return Object.fromEntries(names) as Handlers<typeof KnowledgeService>;
}
