/** Runs one service of Parley in a separate process, like its `main.ts`; the first argument names it. */
import { createAssistants, readConfig as readAssistantsConfig } from '@parley/assistants';
import { createConversations, readConfig as readConversationsConfig } from '@parley/conversations';
import { createGateway, readConfig as readGatewayConfig } from '@parley/gateway';
import { createKnowledge, readConfig as readKnowledgeConfig } from '@parley/knowledge';
import { readEnv } from '@parley/runtime';
import { createTrainer, readConfig as readTrainerConfig } from '@parley/trainer';
import { tellReady } from './program.ts';

const env = readEnv(process.env);
const name = process.argv[2];
if (name === 'gateway') {
  const gateway = createGateway(readGatewayConfig(env));
  await gateway.start();
  tellReady(gateway.address().port);
} else if (name === 'trainer') {
  const trainer = createTrainer(readTrainerConfig(env));
  await trainer.start();
  tellReady(process.pid, () => trainer.stop());
} else {
  const create: Record<string, () => ReturnType<typeof createAssistants>> = {
    assistants: () => createAssistants(readAssistantsConfig(env)),
    conversations: () => createConversations(readConversationsConfig(env)),
    knowledge: () => createKnowledge(readKnowledgeConfig(env)),
  };
  const service = create[name!]!();
  await service.start();
  tellReady(service.port());
}
