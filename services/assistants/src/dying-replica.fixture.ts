import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { rpcClient } from '@parley/runtime';
import { createExtractiveAnswerer } from './answerer/extractive.ts';
import type { AssistantsConfig } from './config.ts';
import { createAssistants } from './create.ts';

/**
 * A replica of the assistants service that stops for ever at one step of a reply, so that a test can kill it there.
 * Standard output says `port N`, then `reached`.
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
    async beginTurn(...asked) {
      const begun = await real.beginTurn(...asked);
      await at('the question is stored');
      return begun;
    },
    async answerTurn(...answer) {
      await at('the answer is known');
      const stored = await real.answerTurn(...answer);
      await at('the answer is stored');
      return stored;
    },
  },
  answerer: {
    async answer(...question) {
      await at('the model is asked');
      return extractive.answer(...question);
    },
  },
});
await replica.start();
process.stdout.write(`port ${replica.port()}\n`);
