import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Component, createLog, createMetrics, type Log } from '@parley/runtime';
import { ASSISTANTS_TOPIC, openBus } from '@parley/runtime/bus';
import {
  createAccountSweeper,
  createGoneSweeper,
  createPurge,
  createRelay,
  goneParents,
  openMongo,
} from '@parley/runtime/mongo';
import { disposing, type RpcProcess, rpcClient, rpcProcess } from '@parley/runtime/rpc';
import type { Collection, Db } from 'mongodb';
import { createAnswerer } from './answerer/create-answerer.ts';
import type { AssistantsConfig, ModelConfig } from './config.ts';
import { consumeKnowledge } from './knowledge-events.ts';
import type { Parts } from './parts.ts';
import { createReplies } from './replies.ts';
import { rpcs } from './rpc/index.ts';
import { assistantsEraser } from './store/account-data.ts';
import { assistantCollection, assistantStore } from './store/assistants.ts';
import { migrations } from './store/migrations.ts';
import type { AssistantDoc } from './store/model.ts';
import { tokenBudget } from './store/model-tokens.ts';

/** Longer than a call that began before a deletion can go on, and than retries of the deletion. */
const SETTLE_MS = 10 * 60_000;

/** The assistants service: chatbots, ticket forms and email inboxes, the knowledge attached to them, and their replies. */
export function createAssistants(config: AssistantsConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const mongo = openMongo(config.mongodb, migrations, log);
  const metrics = overrides.metrics ?? createMetrics();
  const client = { log, observe: metrics };
  const parts: Parts = {
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    store: assistantStore(mongo.db),
    eraser: assistantsEraser(mongo.db),
    knowledge: rpcClient(KnowledgeService, { address: config.knowledge, ...client }),
    conversations: rpcClient(ConversationsService, { address: config.conversations, ...client }),
    answerer: createAnswerer(config.model, { replyMs: config.replyMs, budget: budgetOf(mongo.db, config.model), log }),
    replyMs: config.replyMs,
    replies: createReplies(config.graceMs, config.replies),
    leaseMs: 15_000,
    ...overrides,
  };
  const detaching = createGoneSweeper({ gone: goneParents(mongo.db), log, remove: parts.store.sweepItem });
  return rpcProcess({
    config,
    log,
    metrics,
    components: [
      mongo,
      // The owner of a shared bus starts and stops it.
      ...(overrides.bus ? [] : [parts.bus]),
      detaching,
      consumeKnowledge(parts.bus, parts.store, detaching),
      ...housekeeping(assistantCollection(mongo.db), parts, log),
      createAccountSweeper({ eraser: parts.eraser, log }),
      disposing('knowledge client', parts.knowledge),
      disposing('conversations client', parts.conversations),
      parts.replies,
    ],
    services: [rpcs(parts)],
  });
}

const budgetOf = (db: Db, model: ModelConfig | undefined) =>
  model?.tokensPerDay === undefined ? undefined : tokenBudget(db, model.tokensPerDay);

/** Publishes deletions, and removes what is deleted. */
const housekeeping = (collection: Collection<AssistantDoc>, { bus, store }: Parts, log: Log): Component[] => [
  createRelay({ collection, bus, topic: ASSISTANTS_TOPIC, log }),
  createPurge({
    collection,
    settleMs: SETTLE_MS,
    log,
    async purge(deleted) {
      if (deleted.kind === 'email_inbox') await store.settleAliases(deleted);
    },
  }),
];
