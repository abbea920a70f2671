import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime';
import { checkDomains, checkTitle } from '../domain/chatbot.ts';
import type { Parts } from '../parts.ts';
import { chatbotMessage } from './messages.ts';

/** Makes a chatbot; the same operation gives the same one again. */
export const createChatbot =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AssistantsService.method.createChatbot> =>
  async ({ title, allowedDomains }, call) => {
    const chatbot = { title: checkTitle(title), allowed_domains: checkDomains(allowedDomains) };
    return { chatbot: chatbotMessage(await store.createChatbot(call.account, call.operation, chatbot)) };
  };
