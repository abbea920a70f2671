import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Component, Log } from '@parley/runtime';
import { ASSISTANTS_TOPIC, createDeletionRetry, KNOWLEDGE_TOPIC } from '@parley/runtime/bus';
import {
  createOrphanSweeper,
  createPurge,
  createRelays,
  deletedParents,
  tokenBudget,
  tokensCollection,
} from '@parley/runtime/mongo';
import { disposing, openService, type RpcProcess, rpcClient, rpcProcess } from '@parley/runtime/rpc';
import type { Collection } from 'mongodb';
import { createAnswerer } from './answerer/create-answerer.ts';
import type { AssistantsConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createDueAnswers } from './due-answers.ts';
import { createIdentity } from './identity.ts';
import { consumeKnowledge } from './knowledge-events.ts';
import { createReplies } from './replies.ts';
import { rpcs } from './rpc/index.ts';
import { assistantsEraser } from './store/account-data.ts';
import { assistantCollection, assistantStore } from './store/assistants.ts';
import { migrations } from './store/migrations.ts';
import type { AssistantDoc } from './store/model.ts';
import { MODEL_TOKENS } from './store/model-tokens.ts';
import { consumeThreads } from './thread-events.ts';

/** Longer than a call that began before a deletion can go on, and than retries of the deletion. */
const SETTLE_MS = 10 * 60_000;

/** The assistants service: chatbots, ticket forms and email inboxes, the knowledge attached to them, and their replies. */
export function createAssistants(config: AssistantsConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const { log, metrics, tls, mongo, bus, own } = openService(config, migrations, overrides);
  const client = { tls, log, observe: metrics };
  const setting = 'MODEL_TOKENS_PER_DAY';
  const tokens = tokenBudget(mongo.db, MODEL_TOKENS, {
    ...{ perDay: config.modelTokensPerDay, setting, log },
    used: (used) => metrics.tokens('model', used),
  });
  const dependencies: Dependencies = {
    metrics,
    tokens,
    store: assistantStore(mongo.db),
    eraser: assistantsEraser(mongo.db),
    knowledge: rpcClient(KnowledgeService, {
      address: config.knowledge,
      affine: [KnowledgeService.method.search],
      ...client,
    }),
    conversations: rpcClient(ConversationsService, { address: config.conversations, ...client }),
    answerer: createAnswerer(config.model, { replyMs: config.replyMs, budget: tokens, log, metrics }),
    identity: createIdentity(config.pepper),
    replyMs: config.replyMs,
    replies: createReplies(config.graceMs, config.replies),
    leaseMs: 15_000,
    ...overrides,
    bus,
  };
  const detaching = createOrphanSweeper({
    deleted: deletedParents(mongo.db),
    log,
    remove: dependencies.store.sweepItem,
  });
  return rpcProcess({
    config,
    log,
    metrics,
    tls,
    components: [
      ...own,
      detaching,
      consumeKnowledge({ ...dependencies, secret: config.secret, sweeper: detaching }),
      createDeletionRetry({ bus, topics: [KNOWLEDGE_TOPIC], log }),
      consumeThreads({ ...dependencies, secret: config.secret }),
      ...createRelays([assistantCollection(mongo.db), tokensCollection(mongo.db, MODEL_TOKENS)], {
        ...{ bus, log, metrics, otherTopic: ASSISTANTS_TOPIC },
      }),
      purge(assistantCollection(mongo.db), dependencies, log),
      disposing('knowledge client', dependencies.knowledge),
      disposing('conversations client', dependencies.conversations),
      dependencies.replies,
      // Stops first, so that no reply begins while those in progress are waited for.
      createDueAnswers({ ...dependencies, secret: config.secret, log }),
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser },
    callers: ['conversations', 'gateway', 'mail'],
  });
}

/** Removes what is deleted. */
const purge = (collection: Collection<AssistantDoc>, { store }: Dependencies, log: Log): Component =>
  createPurge({
    collection,
    settleMs: SETTLE_MS,
    log,
    async purge(deleted) {
      if (deleted.kind === 'email_inbox') await store.settleAliases(deleted);
      if (deleted.kind === 'ticket_form') await store.forgetForm(deleted);
    },
  });
