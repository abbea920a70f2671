import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { chatbotMessage } from './messages.ts';

type Service = typeof AssistantsService.method;
type Visiting = Pick<Dependencies, 'store' | 'identity'>;

export const createIdentitySecret =
  ({ store, identity }: Visiting): Rpc<Service['createIdentitySecret']> =>
  async ({ chatbotId }, { account, operation }) => {
    const id = await store.setIdentity(account, chatbotId, operation);
    return { secret: identity.secretOf(id, operation) };
  };

export const verifyVisitor =
  ({ store, identity }: Visiting): Rpc<Service['verifyVisitor']> =>
  async ({ chatbotId, expires, ...vouching }, { account }) => {
    const { _id, identity_operations = [] } = await store.assistant(account, 'chatbot', chatbotId);
    const operation = identity_operations.at(-1);
    const isSigned = operation !== undefined && vouching.userId !== '';
    return { verified: isSigned && identity.vouches(_id, operation, { ...vouching, expires: Number(expires) }) };
  };

export const getPublicChatbot =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<Service['getPublicChatbot']> =>
  async ({ publicId }, call) => {
    call.requireCaller('gateway');
    const found = await store.publicChatbot(publicId);
    if (!found) throw notFound('There is no such chatbot.');
    const { chatbot, form } = found;
    return { accountId: chatbot.account, chatbot: chatbotMessage(chatbot), ticketFormPublicId: form?.public_id ?? '' };
  };
