import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { deleteAccountData, type RpcService, service } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { beginUpload, completeUpload, createDocument, finalizeDocument, getDocumentFile } from './documents.ts';
import { createFaqItem, deleteFaqItem, listFaqItems } from './faq-items.ts';
import {
  batchGetKnowledgeItems,
  createFaq,
  createWebsite,
  deleteKnowledgeItem,
  getKnowledgeItem,
  listKnowledgeItems,
  trainKnowledgeItem,
} from './knowledge-items.ts';
import { search } from './search.ts';
import { listSources, listSubPages } from './sources.ts';
import { updateKnowledgeItem } from './update-knowledge-item.ts';
import { createVideo } from './videos.ts';

/** The handlers of the knowledge service's RPCs, by name. Tests call them directly. */
export const handlers = (parts: Pick<Parts, 'corpus' | 'cache' | 'embedders' | 'crawlAllow' | 'objects'>) => ({
  createWebsite: createWebsite(parts),
  createFaq: createFaq(parts),
  createVideo: createVideo(parts),
  createDocument: createDocument(parts),
  beginUpload: beginUpload(parts),
  completeUpload: completeUpload(parts),
  finalizeDocument: finalizeDocument(parts),
  getDocumentFile: getDocumentFile(parts),
  getKnowledgeItem: getKnowledgeItem(parts),
  batchGetKnowledgeItems: batchGetKnowledgeItems(parts),
  listKnowledgeItems: listKnowledgeItems(parts),
  deleteKnowledgeItem: deleteKnowledgeItem(parts),
  updateKnowledgeItem: updateKnowledgeItem(parts),
  trainKnowledgeItem: trainKnowledgeItem(parts),
  listSubPages: listSubPages(parts),
  listSources: listSources(parts),
  createFaqItem: createFaqItem(parts),
  listFaqItems: listFaqItems(parts),
  deleteFaqItem: deleteFaqItem(parts),
  search: search(parts),
});

/** The RPCs of the knowledge service. */
export const rpcs = (parts: Parts): RpcService =>
  service(KnowledgeService, { ...handlers(parts), deleteAccountData: deleteAccountData(parts.eraser) });
