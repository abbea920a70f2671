import type { Chatbot } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Log } from '@parley/runtime';
import { codeOf, monotonicNow, newCall, randomId } from '@parley/runtime/rpc';
import type { Limits } from '../config.ts';
import { gatewaySigner, type Services } from '../services.ts';

/** A chatbot that a page shows. */
export interface Embedded {
  account: string;
  chatbot: Chatbot;
  /** The public id of its ticket form; empty if it has none. */
  ticketForm: string;
}

/** Looks up a chatbot by its public id; undefined if there is none. */
export type FindChatbot = (publicId: string, requestId?: string) => Promise<Embedded | undefined>;

interface Options {
  services: Pick<Services, 'assistants'>;
  secret: string;
  limits: Pick<Limits, 'requestMs'>;
  log: Log;
}

const PUBLIC_ID = /^[A-Za-z0-9]{8,32}$/;

export function createFindChatbot({ services, secret, limits, log }: Options): FindChatbot {
  const sign = gatewaySigner(secret);
  return async function find(publicId, requestId = randomId()) {
    if (!PUBLIC_ID.test(publicId)) return undefined;
    const call = newCall(
      { requestId, operation: randomId() },
      { sign, log, deadline: monotonicNow() + limits.requestMs },
    );
    try {
      const found = await services.assistants.getPublicChatbot({ publicId }, call.onward());
      return { account: found.accountId, chatbot: found.chatbot!, ticketForm: found.ticketFormPublicId };
    } catch (error) {
      if (codeOf(error) === 'not_found') return undefined;
      throw error;
    }
  };
}
