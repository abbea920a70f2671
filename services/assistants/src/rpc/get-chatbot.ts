import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { chatbotMessage } from './messages.ts';

export const getChatbot =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AssistantsService.method.getChatbot> =>
  async ({ id }, call) => ({ chatbot: chatbotMessage(await store.assistant(call.account, 'chatbot', id)) });
