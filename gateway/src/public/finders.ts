import type { Chatbot, TicketForm } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Log, RootSecret, TicketTokens } from '@parley/runtime';
import { type Call, codeOf, monotonicNow, newCall, randomId } from '@parley/runtime/rpc';
import type { Limits } from '../config.ts';
import { gatewaySigner, type Services } from '../services.ts';

/** A chatbot that a page shows. */
export interface Embedded {
  account: string;
  chatbot: Chatbot;
  /** The public id of its ticket form; empty if it has none. */
  ticketForm: string;
}

/** A ticket form that a page shows. */
export interface EmbeddedForm {
  account: string;
  form: TicketForm;
  /** The ticket that the request is about, if it is about one. */
  ticket?: { id: string; link: number };
}

/** Looks up a chatbot by its public id; undefined if there is none. */
export type FindChatbot = (publicId: string, requestId?: string) => Promise<Embedded | undefined>;
/** The same for a ticket form. */
export type FindForm = (publicId: string, requestId?: string) => Promise<EmbeddedForm | undefined>;
/** Where to store the files of a form that an address has filled in. @throws the error of the service if it may not */
export type FolderFor = (form: EmbeddedForm, requestId: string) => (email: string) => Promise<string>;
/** The form of a ticket, by the token of the ticket; undefined if either is unknown. */
export type FindTicket = FindForm;

interface Options {
  services: Pick<Services, 'assistants' | 'conversations'>;
  secret: RootSecret;
  limits: Pick<Limits, 'requestMs'>;
  log: Log;
  ticketTokens: TicketTokens;
}

const PUBLIC_ID = /^[A-Za-z0-9]{8,32}$/;

/** How the gateway finds what a page shows, before it knows for whom. */
export function createFinders({ services, secret, limits, log, ticketTokens }: Options): {
  findChatbot: FindChatbot;
  findForm: FindForm;
  findTicket: FindTicket;
  folderFor: FolderFor;
} {
  const sign = gatewaySigner(secret);
  const callOf = (requestId = randomId(), account?: string) =>
    newCall(
      { requestId, operation: randomId(), ...(account !== undefined && { account }) },
      { sign, log, deadline: monotonicNow() + limits.requestMs },
    );

  async function unlessUnknown<T>(call: Call, find: (options: ReturnType<Call['onward']>) => Promise<T>) {
    try {
      return await find(call.onward());
    } catch (error) {
      if (codeOf(error) === 'not_found') return undefined;
      throw error;
    }
  }

  return {
    async findChatbot(publicId, requestId) {
      if (!PUBLIC_ID.test(publicId)) return undefined;
      const found = await unlessUnknown(callOf(requestId), (options) =>
        services.assistants.getPublicChatbot({ publicId }, options),
      );
      return found && { account: found.accountId, chatbot: found.chatbot!, ticketForm: found.ticketFormPublicId };
    },
    async findForm(publicId, requestId) {
      if (!PUBLIC_ID.test(publicId)) return undefined;
      const found = await unlessUnknown(callOf(requestId), (options) =>
        services.assistants.getPublicTicketForm({ publicId }, options),
      );
      return found && { account: found.accountId, form: found.ticketForm! };
    },
    async findTicket(token, requestId) {
      const opened = ticketTokens.open(token);
      if (!opened) return undefined;
      const { account, form: id, ticket, link } = opened;
      const found = await unlessUnknown(callOf(requestId, account), (options) =>
        services.assistants.getTicketForm({ id }, options),
      );
      return found && { account, form: found.ticketForm!, ticket: { id: ticket, link } };
    },
    folderFor:
      ({ account, form }, requestId) =>
      async (fromEmail) => {
        const asked = { kind: ThreadKind.TICKET, assistantId: form.id, fromEmail };
        return (await services.conversations.admitMail(asked, callOf(requestId, account).onward())).folder;
      },
  };
}
