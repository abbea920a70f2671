import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { deleteAccountData, type RpcService, service } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { attachKnowledge } from './attach-knowledge.ts';
import { createChatbot, deleteChatbot, getChatbot, listChatbots, updateChatbot } from './chatbots.ts';
import { detachKnowledge } from './detach-knowledge.ts';
import {
  createEmailInbox,
  deleteEmailInbox,
  getEmailInbox,
  listEmailInboxes,
  updateEmailInbox,
} from './email-inboxes.ts';
import { listAttachedKnowledge } from './list-attached-knowledge.ts';
import { reply } from './reply.ts';
import { resolveAssistant } from './resolve-assistant.ts';
import { streamReply } from './stream-reply.ts';
import {
  createTicketForm,
  deleteTicketForm,
  getTicketForm,
  listTicketForms,
  updateTicketForm,
} from './ticket-forms.ts';

/** The RPCs of the assistants service. */
export const rpcs = (parts: Parts): RpcService =>
  service(AssistantsService, {
    createChatbot: createChatbot(parts),
    getChatbot: getChatbot(parts),
    listChatbots: listChatbots(parts),
    updateChatbot: updateChatbot(parts),
    deleteChatbot: deleteChatbot(parts),
    createTicketForm: createTicketForm(parts),
    getTicketForm: getTicketForm(parts),
    listTicketForms: listTicketForms(parts),
    updateTicketForm: updateTicketForm(parts),
    deleteTicketForm: deleteTicketForm(parts),
    createEmailInbox: createEmailInbox(parts),
    getEmailInbox: getEmailInbox(parts),
    listEmailInboxes: listEmailInboxes(parts),
    updateEmailInbox: updateEmailInbox(parts),
    deleteEmailInbox: deleteEmailInbox(parts),
    resolveAssistant: resolveAssistant(parts),
    attachKnowledge: attachKnowledge(parts),
    detachKnowledge: detachKnowledge(parts),
    listAttachedKnowledge: listAttachedKnowledge(parts),
    reply: reply(parts),
    streamReply: streamReply(parts),
    deleteAccountData: deleteAccountData(parts.eraser),
  });
