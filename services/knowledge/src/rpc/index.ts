import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as documents from './documents.ts';
import * as faqItems from './faq-items.ts';
import * as knowledgeItems from './knowledge-items.ts';
import * as search from './search.ts';
import * as sources from './sources.ts';
import * as updateKnowledgeItem from './update-knowledge-item.ts';
import * as usage from './usage.ts';
import * as videos from './videos.ts';

/** The handlers of the knowledge service's RPCs, by name. Tests call them directly. */
export const handlers = (dependencies: Omit<Dependencies, 'metrics' | 'bus' | 'eraser'>) =>
  handlersOf(dependencies, documents, faqItems, knowledgeItems, search, sources, updateKnowledgeItem, usage, videos);

/** The RPCs of the knowledge service. */
export const rpcs = (dependencies: Dependencies): RpcService => service(KnowledgeService, handlers(dependencies));
