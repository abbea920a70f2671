import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import {
  createLog,
  createMetrics,
  disposing,
  openBus,
  openMongo,
  type RpcProcess,
  rpcClient,
  rpcProcess,
  service,
} from '@parley/runtime';
import { createAnswerer } from './answerer/create-answerer.ts';
import type { AssistantsConfig } from './config.ts';
import { hearKnowledge } from './knowledge-events.ts';
import type { Parts } from './parts.ts';
import { createRecall } from './recall.ts';
import { createReplies } from './replies.ts';
import { attachKnowledge } from './rpc/attach-knowledge.ts';
import { createChatbot } from './rpc/create-chatbot.ts';
import { detachKnowledge } from './rpc/detach-knowledge.ts';
import { getChatbot } from './rpc/get-chatbot.ts';
import { listAttachedKnowledge } from './rpc/list-attached-knowledge.ts';
import { listChatbots } from './rpc/list-chatbots.ts';
import { reply } from './rpc/reply.ts';
import { assistantStore } from './store/assistants.ts';
import { migrations } from './store/migrations.ts';

/** The assistants service: chatbots, the knowledge attached to them, and their replies. */
export function createAssistants(config: AssistantsConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel);
  const mongo = openMongo(config.mongodb, migrations, log);
  const metrics = overrides.metrics ?? createMetrics();
  const client = { log, observe: metrics };
  const parts: Parts = {
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    store: assistantStore(mongo.db),
    recall: createRecall(),
    knowledge: rpcClient(KnowledgeService, { address: config.knowledge, ...client }),
    conversations: rpcClient(ConversationsService, { address: config.conversations, ...client }),
    answerer: createAnswerer(config.model, config.replyMs),
    replyMs: config.replyMs,
    replies: createReplies(config.graceMs),
    leaseMs: 15_000,
    ...overrides,
  };
  return rpcProcess({
    config,
    log,
    metrics,
    components: [
      mongo,
      // A bus that is shared is its owner's to start and stop.
      ...(overrides.bus ? [] : [parts.bus]),
      hearKnowledge(parts.bus, parts.store),
      disposing('knowledge client', parts.knowledge),
      disposing('conversations client', parts.conversations),
      parts.replies,
    ],
    services: [
      service(AssistantsService, {
        createChatbot: createChatbot(parts),
        getChatbot: getChatbot(parts),
        listChatbots: listChatbots(parts),
        attachKnowledge: attachKnowledge(parts),
        detachKnowledge: detachKnowledge(parts),
        listAttachedKnowledge: listAttachedKnowledge(parts),
        reply: reply(parts),
      }),
    ],
  });
}
