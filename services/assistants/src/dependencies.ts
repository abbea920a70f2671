import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser, TokenBudget } from '@parley/runtime/mongo';
import type { RpcClient } from '@parley/runtime/rpc';
import type { Answerer } from './answerer/answerer.ts';
import type { Identity } from './identity.ts';
import type { Replies } from './replies.ts';
import type { AssistantStore } from './store/assistants.ts';

/** The parts of the assistants service. Tests and the embedded mode can replace each. */
export interface Dependencies {
  metrics: Metrics;
  bus: Bus;
  store: AssistantStore;
  /** Tokens that accounts spend on the model. */
  tokens: TokenBudget;
  eraser: AccountEraser;
  knowledge: RpcClient<typeof KnowledgeService>;
  conversations: RpcClient<typeof ConversationsService>;
  answerer: Answerer;
  identity: Identity;
  /** Time from storing the question to storing the answer. */
  replyMs: number;
  replies: Replies;
  /** How long a claim lasts without being extended. */
  leaseMs: number;
}
