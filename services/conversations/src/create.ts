import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { createNotifier } from '@parley/runtime';
import { ASSISTANTS_TOPIC, CONVERSATIONS_TOPIC, createDeletionRetry } from '@parley/runtime/bus';
import { createOrphanSweeper, createRelays, quotaCollection } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { disposing, openService, type RpcProcess, rpcClient, rpcProcess } from '@parley/runtime/rpc';
import type { ConversationsConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { consumeAssistants, consumeMessages, consumeOwn } from './events.ts';
import { rpcs } from './rpc/index.ts';
import { conversationsEraser } from './store/account-data.ts';
import { blockCollection } from './store/blocks.ts';
import { mailCollection } from './store/mails.ts';
import { migrations } from './store/migrations.ts';
import { conversationStores } from './store/stores.ts';
import { threadCollection } from './store/threads.ts';

/** The conversations service: the messages of people and assistants. */
export function createConversations(config: ConversationsConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const { log, metrics, tls, mongo, bus, own } = openService(config, migrations, overrides);
  const assistants = rpcClient(AssistantsService, { address: config.assistants, tls, log, observe: metrics });
  const objects = overrides.objects ?? openObjects(config.objects, log, metrics);
  const stores = conversationStores(mongo.db, config, objects);
  const dependencies: Dependencies = {
    metrics,
    assistants,
    objects,
    ...stores,
    notifier: createNotifier(),
    eraser: conversationsEraser(mongo.db, objects),
    ...overrides,
    bus,
  };
  const collections = [threadCollection, blockCollection, mailCollection, quotaCollection].map((of) => of(mongo.db));
  const relays = createRelays(collections, { bus, log, metrics, otherTopic: CONVERSATIONS_TOPIC });
  const orphans = createOrphanSweeper({
    deleted: stores.threads.deletedAssistants,
    log,
    remove: (account, assistant, signal) => stores.removal.sweep(account, assistant, { signal }),
  });
  return rpcProcess({
    config,
    log,
    metrics,
    tls,
    components: [
      ...own,
      // The owner of a shared store starts and stops it.
      ...(overrides.objects ? [] : [objects]),
      ...relays,
      orphans,
      consumeAssistants({ ...dependencies, secret: config.secret, sweeper: orphans }),
      createDeletionRetry({ bus, topics: [ASSISTANTS_TOPIC], log }),
      consumeOwn(bus, stores),
      disposing('assistants client', assistants),
      consumeMessages(bus, stores),
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser },
    callers: ['assistants', 'gateway', 'mail'],
  });
}
