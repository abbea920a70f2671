import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService, type Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService, Role } from '@parley/proto/conversations/v1/conversations_service_pb';
import {
  type KnowledgeItemSchema,
  KnowledgeService,
  KnowledgeType,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';
import {
  deriveId,
  invalidArgument,
  notFound,
  permissionDenied,
  randomId,
  service,
  unauthenticated,
} from '@parley/runtime';

/** Small honest doubles of the services, in memory: what the gateway needs of their contracts, and no more. */

const at = timestampFromDate(new Date('2026-01-02T03:04:05.678Z'));

interface Owned {
  id: string;
  account: string;
}

/** A table whose rows belong to accounts. */
function table<T extends Owned>(what: string) {
  const rows: T[] = [];
  return {
    rows,
    add: (row: T): T => {
      const known = rows.find(({ id }) => id === row.id);
      if (!known) rows.push(row);
      return known ?? row;
    },
    get(account: string, id: string): T {
      const row = rows.find((r) => r.id === id);
      if (!row) throw notFound(`There is no such ${what}.`);
      if (row.account !== account) throw permissionDenied(`This ${what} belongs to another account.`);
      return row;
    },
    remove: (id: string) =>
      void rows.splice(
        rows.findIndex((r) => r.id === id),
        1,
      ),
    of: (account: string): T[] => rows.filter((r) => r.account === account).reverse(),
  };
}

/** Positions are indices here; real services have better ones. */
function pageOf<T>(rows: T[], { limit, nextCursor }: { limit: number; nextCursor: string }) {
  const from = Number(nextCursor || 0);
  const items = rows.slice(from, from + limit);
  const hasMore = from + limit < rows.length;
  return { items, total: rows.length, hasMore, nextCursor: hasMore ? String(from + limit) : '' };
}

interface Key {
  account: string;
  scopes: Scope[];
  expiresAt?: Date;
}

export function authDouble() {
  const keys = new Map<string, Key>();
  const state = { keys, verified: 0 };
  const apiKey = (key: string, { scopes, expiresAt }: Key) => ({
    id: deriveId(key),
    name: 'test',
    scopes,
    createdAt: at,
    expiresAt: expiresAt && timestampFromDate(expiresAt),
  });
  const handlers = service(AuthService, {
    async verifyKey({ key }) {
      state.verified += 1;
      const found = keys.get(key);
      if (!found) throw unauthenticated('This API key is not valid.');
      return { account: { id: found.account, name: 'Acme' }, apiKey: apiKey(key, found) };
    },
    async createApiKey({ scopes }, call) {
      const key = `parley_${call.operation}`;
      keys.set(key, { account: call.account, scopes });
      return { apiKey: apiKey(key, { account: call.account, scopes }), key };
    },
    async listApiKeys(request, call) {
      const own = [...keys].filter(([, key]) => key.account === call.account);
      return pageOf(
        own.map(([key, found]) => apiKey(key, found)),
        request,
      );
    },
    async revokeApiKey({ id }) {
      const found = [...keys].find(([key]) => deriveId(key) === id);
      if (!found) throw notFound('There is no such API key.');
      keys.delete(found[0]);
      return { apiKey: apiKey(...found) };
    },
    createAccount: () => Promise.reject(permissionDenied('Only the operator may do this.')),
    listAccounts: () => Promise.reject(permissionDenied('Only the operator may do this.')),
  });
  return { state, handlers };
}

type Item = Exclude<MessageInitShape<typeof KnowledgeItemSchema>, { $typeName: string }>;
type ItemRow = Owned & { item: Item };
type FaqRow = Owned & { question: string; answer: string; sourceUrl?: string; categories: string[] };

export function knowledgeDouble() {
  const items = table<ItemRow>('knowledge item');
  const faq = table<FaqRow>('FAQ item');
  const state = { created: 0, beforeCreate: async (_title: string) => {} };
  const itemOf = (row: ItemRow): Item => ({ isTraining: false, createdAt: at, ...row.item });
  const faqItem = (row: FaqRow) => ({ ...row, rating: {}, createdAt: at });

  const handlers = service(KnowledgeService, {
    async createWebsite({ websiteUrl }, call) {
      if (websiteUrl.includes('@')) throw invalidArgument('website_url must not hold credentials.');
      const id = call.operation;
      const details = { case: 'website', value: { baseUrl: websiteUrl } } as const;
      const item = { id, type: KnowledgeType.WEBSITE, details };
      return { item: itemOf(items.add({ id, account: call.account, item })) };
    },
    async createFaq({ title, description }, call) {
      await state.beforeCreate(title);
      state.created += 1;
      const id = call.operation;
      const details = { case: 'faq', value: { title, ...(description !== undefined && { description }) } } as const;
      const item = { id, type: KnowledgeType.FAQ, details };
      return { item: itemOf(items.add({ id, account: call.account, item })) };
    },
    getKnowledgeItem: async ({ id }, call) => ({ item: itemOf(items.get(call.account, id)) }),
    batchGetKnowledgeItems: async () => ({ items: [] }),
    async listKnowledgeItems(request, call) {
      const page = pageOf(items.of(call.account), request);
      return { ...page, items: page.items.map(itemOf) };
    },
    async deleteKnowledgeItem({ id }, call) {
      const row = items.get(call.account, id);
      items.remove(id);
      return { item: itemOf(row) };
    },
    async trainKnowledgeItem({ id }, call) {
      const row = items.get(call.account, id);
      return { item: { ...itemOf(row), isTraining: true, training: { queued: true, sourcesFound: 3 }, liveSince: at } };
    },
    async listSubPages(request, call) {
      items.get(call.account, request.knowledgeId);
      const pages = Array.from({ length: 30 }, (_, i) => ({ pageUrl: `/${String(i).padStart(2, '0')}` }));
      return pageOf(pages, request);
    },
    async createFaqItem(request, call) {
      items.get(call.account, request.knowledgeId);
      const { $typeName, ...row } = request;
      return { item: faqItem(faq.add({ ...row, id: call.operation, account: call.account })) };
    },
    async listFaqItems(request, call) {
      items.get(call.account, request.knowledgeId);
      const page = pageOf(faq.of(call.account), request);
      return { ...page, items: page.items.map(faqItem) };
    },
    async deleteFaqItem({ knowledgeId, id }, call) {
      items.get(call.account, knowledgeId);
      const row = faq.get(call.account, id);
      faq.remove(id);
      return { item: faqItem(row) };
    },
    search: async () => ({}),
  });
  return { state, handlers };
}

export function assistantsDouble() {
  const chatbots = table<Owned & { publicId: string; title: string; allowedDomains: string[] }>('chatbot');
  const attached = new Map<string, string[]>();
  const state = {
    aborted: 0,
    beforeReply: async () => {},
  };
  const find = (account: string, id: string) =>
    chatbots.get(account, chatbots.rows.find((c) => c.publicId === id)?.id ?? id);

  const handlers = service(AssistantsService, {
    async createChatbot({ title, allowedDomains }, call) {
      const publicId = deriveId(call.operation).replaceAll('-', '').slice(0, 12);
      const chatbot = { id: call.operation, account: call.account, publicId, title, allowedDomains };
      return { chatbot: chatbots.add(chatbot) };
    },
    getChatbot: async ({ id }, call) => ({ chatbot: find(call.account, id) }),
    listChatbots: async (_, call) => ({ chatbots: chatbots.of(call.account) }),
    async attachKnowledge({ assistantId, knowledgeId }, call) {
      const { id } = find(call.account, assistantId);
      attached.set(id, [knowledgeId, ...(attached.get(id) ?? [])]);
      return {};
    },
    async detachKnowledge({ assistantId, knowledgeId }, call) {
      const { id } = find(call.account, assistantId);
      if (!attached.get(id)?.includes(knowledgeId)) throw notFound('This knowledge item is not attached.');
      return {};
    },
    async listAttachedKnowledge(request, call) {
      const { id } = find(call.account, request.assistantId);
      const items = (attached.get(id) ?? []).map((id) => ({
        id,
        type: KnowledgeType.FAQ,
        details: { case: 'faq', value: { title: 'F' } } as const,
      }));
      return pageOf(items, request);
    },
    async reply({ assistantId, sessionId }, call) {
      const { id } = find(call.account, assistantId);
      call.signal.addEventListener('abort', () => {
        state.aborted += 1;
      });
      await state.beforeReply();
      const sources = [
        { n: 1, title: 'Page', url: 'https://example.org/' },
        { n: 2, title: 'Question', url: '' },
      ];
      return {
        id: deriveId(id, 'chat'),
        sessionId: sessionId || deriveId(id, 'session'),
        message: 'Yes [1].',
        sources,
      };
    },
  });
  return { state, handlers };
}

export function conversationsDouble() {
  const state: { lastFilter?: { before?: bigint | undefined; after?: bigint | undefined } } = {};
  const none = () => Promise.reject(notFound('There is no such turn.'));
  const handlers = service(ConversationsService, {
    async listChats(request) {
      state.lastFilter = { before: request.createdBefore?.seconds, after: request.createdAfter?.seconds };
      const chats = Array.from({ length: 3 }, (_, i) => ({
        id: deriveId(request.chatbotId, `${i}`),
        sessionId: deriveId(`${i}`),
        createdAt: at,
        updatedAt: at,
      }));
      return pageOf(chats, request);
    },
    async getChat({ chatbotId, id }) {
      if (id !== deriveId(chatbotId, 'chat')) throw notFound('There is no such chat.');
      return {
        chat: { id, sessionId: randomId(), createdAt: at, updatedAt: at },
        conversation: [
          { role: Role.USER, message: 'Is it?' },
          { role: Role.ASSISTANT, message: 'Yes [1].' },
        ],
      };
    },
    beginTurn: none,
    extendTurn: none,
    answerTurn: none,
    abandonTurn: none,
  });
  return { state, handlers };
}
