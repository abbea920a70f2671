import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { chatbotMessage } from './messages.ts';

/** All of an account, newest first. */
export const listChatbots =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AssistantsService.method.listChatbots> =>
  async (_, call) => ({ chatbots: (await store.list(call.account, 'chatbot')).map(chatbotMessage) });
