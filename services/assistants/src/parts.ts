import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Bus, Metrics, RpcClient } from '@parley/runtime';
import type { Answerer } from './answerer/answerer.ts';
import type { Recall } from './recall.ts';
import type { Replies } from './replies.ts';
import type { AssistantStore } from './store/assistants.ts';

/** What the assistants service is made of; tests and the embedded mode put their own in its place. */
export interface Parts {
  metrics: Metrics;
  bus: Bus;
  store: AssistantStore;
  recall: Recall;
  knowledge: RpcClient<typeof KnowledgeService>;
  conversations: RpcClient<typeof ConversationsService>;
  answerer: Answerer;
  /** From the stored question to the stored answer. */
  replyMs: number;
  replies: Replies;
  /** How long a turn stays this process's when it falls silent. */
  leaseMs: number;
}
