import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type KnowledgeItemSchema,
  KnowledgeService,
  KnowledgeType,
  SourceType,
  SubPageState,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { alreadyExists, failedPrecondition, invalidArgument, notFound, permissionDenied } from '@parley/runtime';
import { at, double, type Owned, pageOf, table } from './double-table.ts';

type Item = Exclude<MessageInitShape<typeof KnowledgeItemSchema>, { $typeName: string }>;
type ItemRow = Owned & { item: Item };
type FaqRow = Owned & { question: string; answer: string; sourceUrl?: string; categories: string[] };

export function knowledgeDouble() {
  const items = table<ItemRow>('knowledge item');
  const faq = table<FaqRow>('FAQ item');
  const state = {
    created: 0,
    beforeCreate: async (_title: string) => {},
    beforeUpload: async () => {},
    beforeComplete: async () => {},
    /** The bytes of a document. */
    maxBytes: 50 * 1024 * 1024,
    /** By document. */
    uploads: new Map<string, { objectKey: string; bytes: number; sha256: string }>(),
  };
  const itemOf = (row: ItemRow): Item => ({ isTraining: false, ...row.item });
  function documentOf(account: string, id: string) {
    const { details } = items.get(account, id).item;
    if (details?.case !== 'document') throw failedPrecondition('This knowledge item is not a document.');
    return details.value as { fileType?: string; fileName?: string; finalized?: boolean };
  }
  const faqItem = (row: FaqRow) => ({ ...row, rating: {}, createdAt: at });

  const handlers = double(KnowledgeService, {
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
    async createVideo({ videoUrl }, call) {
      if (!videoUrl.includes('youtu')) throw invalidArgument('video_url must be a link to a YouTube video.');
      const id = call.operation;
      const details = { case: 'video', value: { videoId: videoUrl.slice(-11), videoUrl } } as const;
      return {
        item: itemOf(items.add({ id, account: call.account, item: { id, type: KnowledgeType.VIDEO, details } })),
      };
    },
    async createDocument({ fileType, fileName }, call) {
      const id = call.operation;
      const value = { fileType, ...(fileName !== undefined && { fileName }), finalized: false };
      const item = { id, type: KnowledgeType.DOCUMENT, details: { case: 'document', value } as const };
      return { item: itemOf(items.add({ id, account: call.account, item })) };
    },
    async beginUpload({ id }, call) {
      await state.beforeUpload();
      if (documentOf(call.account, id).finalized) throw alreadyExists('This document has been finalized.');
      return { objectKey: `accounts/${call.account}/${id}/${call.operation}.bin`, maxBytes: state.maxBytes };
    },
    async completeUpload({ id, objectKey, bytes, sha256 }, call) {
      await state.beforeComplete();
      if (documentOf(call.account, id).finalized) throw alreadyExists('This document has been finalized.');
      state.uploads.set(id, { objectKey, bytes, sha256 });
      return {};
    },
    async finalizeDocument({ id }, call) {
      const document = documentOf(call.account, id);
      if (!state.uploads.has(id)) throw failedPrecondition('No file has been uploaded yet.');
      document.finalized = true;
      return { item: itemOf(items.get(call.account, id)) };
    },
    async getDocumentFile({ id }, call) {
      const { fileType = '', fileName, finalized } = documentOf(call.account, id);
      if (!finalized) throw notFound('This document has no file until it is finalized.');
      return { objectKey: state.uploads.get(id)!.objectKey, fileType, ...(fileName !== undefined && { fileName }) };
    },
    getKnowledgeItem: async ({ id }, call) => ({ item: itemOf(items.get(call.account, id)) }),
    batchGetKnowledgeItems: async () => ({ items: [] }),
    async listKnowledgeItems(request, call) {
      const page = pageOf(items.of(call.account), request);
      return { ...page, items: page.items.map(itemOf) };
    },
    async updateKnowledgeItem(request, call) {
      const { id, include, exclude, titleChange, languageChange, transcriptChange } = request;
      const { case: change, value } = request.retrainEveryChange;
      const { item } = items.get(call.account, id);
      if (item.details?.case === 'video') {
        item.details.value = {
          ...item.details.value,
          ...(titleChange.case === 'title' && { title: titleChange.value }),
          ...(titleChange.case === 'clearTitle' && { title: undefined }),
          ...(languageChange.case === 'language' && { language: languageChange.value }),
          ...(languageChange.case === 'clearLanguage' && { language: undefined }),
          ...(transcriptChange.case === 'transcript' && { transcriptBytes: transcriptChange.value.length }),
          ...(transcriptChange.case === 'clearTranscript' && { transcriptBytes: undefined }),
        } as never;
        return { item: itemOf(items.get(call.account, id)) };
      }
      if (item.details?.case !== 'website') throw failedPrecondition('This knowledge item is not a website.');
      item.details.value = {
        ...item.details.value,
        ...(include && { include: include.values }),
        ...(exclude && { exclude: exclude.values }),
        ...(change === 'retrainEvery' && { retrainEvery: value }),
        ...(change === 'clearRetrainEvery' && { retrainEvery: undefined }),
      } as never;
      return { item: itemOf(items.get(call.account, id)) };
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
      const pages = Array.from({ length: 30 }, (_, i) => ({
        pageUrl: `/${String(i).padStart(2, '0')}`,
        state: SubPageState.TRAINED,
        bytes: 1_234,
      }));
      return pageOf(pages, request);
    },
    async listSources(request, call) {
      const { item } = items.get(call.account, request.knowledgeId);
      const type = item.type === KnowledgeType.FAQ ? SourceType.FAQ_ITEM : SourceType.PAGE;
      const failed = { type, name: 'Why?', faqItemId: item.id!, state: SubPageState.FAILED, reason: 'No.', bytes: 3 };
      return pageOf([{ ...failed, trainingFailedAt: at }], request);
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
    getUsage: async () => ({ items: [{ name: 'bytes', used: 5_000_000_000n, limit: 21_474_836_480n }] }),
    deleteAccountData: () => Promise.reject(permissionDenied('Only the operator may do this.')),
  });
  return { state, handlers };
}
