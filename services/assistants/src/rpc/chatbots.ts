import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkDomains, checkTitle } from '../domain/chatbot.ts';
import { answerFields } from './answer-settings.ts';
import { appearanceFields } from './appearance.ts';
import { given } from './given.ts';
import { chatbotMessage } from './messages.ts';

type Service = typeof AssistantsService.method;
type Store = Pick<Dependencies, 'store'>;

/** Creates a chatbot. Idempotent: the same operation returns the same chatbot. */
export const createChatbot =
  ({ store }: Store): Rpc<Service['createChatbot']> =>
  async ({ title, allowedDomains, answers, appearance }, call) => {
    const chatbot = {
      title: checkTitle(title),
      allowed_domains: checkDomains(allowedDomains),
      ...answerFields(answers),
      ...(await appearanceFields({ store }, call.account, appearance)),
    };
    return { chatbot: chatbotMessage(await store.createChatbot(call.account, call.operation, chatbot)) };
  };

export const getChatbot =
  ({ store }: Store): Rpc<Service['getChatbot']> =>
  async ({ id }, call) => ({ chatbot: chatbotMessage(await store.assistant(call.account, 'chatbot', id)) });

/** All chatbots of an account, newest first. */
export const listChatbots =
  ({ store }: Store): Rpc<Service['listChatbots']> =>
  async (_, call) => ({ chatbots: (await store.list(call.account, 'chatbot')).map(chatbotMessage) });

/** Changes the fields that are present. */
export const updateChatbot =
  ({ store }: Store): Rpc<Service['updateChatbot']> =>
  async ({ id, title, allowedDomains, answers, appearance }, call) => {
    const fields = given({
      title: title === undefined ? undefined : checkTitle(title),
      allowed_domains: allowedDomains && checkDomains(allowedDomains.values),
      ...answerFields(answers),
      ...(await appearanceFields({ store }, call.account, appearance)),
    });
    return { chatbot: chatbotMessage(await store.updateChatbot(call.account, id, call.operation, fields)) };
  };

/** Returns the chatbot as it was. Idempotent by operation. */
export const deleteChatbot =
  ({ store }: Store): Rpc<Service['deleteChatbot']> =>
  async ({ id }, call) => ({ chatbot: chatbotMessage(await store.deleteChatbot(call.account, id, call.operation)) });
