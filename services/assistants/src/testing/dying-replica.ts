import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { rpcClient } from '@parley/runtime/rpc';
import { createExtractiveAnswerer } from '../answerer/extractive.ts';
import type { AssistantsConfig } from '../config.ts';
import { createAssistants } from '../create.ts';

/**
 * A replica of the assistants service that stops forever at one step of a reply, so that a test can kill it there. It
 * prints `port N`, then `reached`.
 */
const { config, step } = JSON.parse(process.argv[2]!) as { config: AssistantsConfig; step: string };

async function at(name: string): Promise<void> {
  if (name !== step) return;
  process.stdout.write('reached\n');
  await new Promise(() => {});
}

const real = rpcClient(ConversationsService, { address: config.conversations });
const extractive = createExtractiveAnswerer();
const replica = createAssistants(config, {
  leaseMs: 1_000,
  conversations: {
    ...real,
    async askQuestion(...question) {
      const asked = await real.askQuestion(...question);
      await at('the question is stored');
      return asked;
    },
    async answerQuestion(...answer) {
      await at('the answer is known');
      const stored = await real.answerQuestion(...answer);
      await at('the answer is stored');
      return stored;
    },
  },
  answerer: {
    name: extractive.name,
    async answer(...question) {
      await at('the model is asked');
      return extractive.answer(...question);
    },
  },
});
await replica.start();
process.stdout.write(`port ${replica.port()}\n`);
