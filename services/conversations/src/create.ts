import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import {
  CONVERSATIONS_TOPIC,
  createLog,
  createMetrics,
  createRelay,
  openBus,
  openMongo,
  type RpcProcess,
  rpcProcess,
  service,
} from '@parley/runtime';
import { createBeginnings } from './beginnings.ts';
import type { ConversationsConfig } from './config.ts';
import type { Parts } from './parts.ts';
import { abandonTurn } from './rpc/abandon-turn.ts';
import { answerTurn } from './rpc/answer-turn.ts';
import { beginTurn } from './rpc/begin-turn.ts';
import { extendTurn } from './rpc/extend-turn.ts';
import { getChat } from './rpc/get-chat.ts';
import { listChats } from './rpc/list-chats.ts';
import { chatCollection, chatStore } from './store/chats.ts';
import { migrations } from './store/migrations.ts';
import { createSweeper } from './store/sweeper.ts';
import { turnStore } from './store/turns.ts';

/** The conversations service: what people and assistants said to each other. */
export function createConversations(config: ConversationsConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel);
  const mongo = openMongo(config.mongodb, migrations, log);
  const metrics = overrides.metrics ?? createMetrics();
  const bus = overrides.bus ?? openBus(config.bus, log, metrics);
  const stores = { chats: chatStore(mongo.db), turns: turnStore(mongo.db) };
  const parts: Parts = {
    metrics,
    bus,
    ...stores,
    beginnings: createBeginnings(stores, log),
    ...overrides,
  };
  const relay = createRelay({ collection: chatCollection(mongo.db), bus, topic: CONVERSATIONS_TOPIC, log });
  return rpcProcess({
    config,
    log,
    metrics,
    // A bus that is shared is its owner's to start and stop.
    components: [mongo, ...(overrides.bus ? [] : [bus]), relay, createSweeper(parts, log)],
    services: [
      service(ConversationsService, {
        listChats: listChats(parts),
        getChat: getChat(parts),
        beginTurn: beginTurn(parts),
        extendTurn: extendTurn(parts),
        answerTurn: answerTurn(parts),
        abandonTurn: abandonTurn(parts),
      }),
    ],
  });
}
