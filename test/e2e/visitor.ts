import { createHmac } from 'node:crypto';
import { type Answer, type Api, keyed, must, type Send } from './api.ts';

/** The answer to a visitor's message. */
export interface VisitorReply {
  id: string;
  message_id: string;
  message: string;
  sources: { n: number; title: string; url: string | null }[];
  confidence: 'high' | 'low' | null;
  visitor_token: string;
}

export interface OwnConversation {
  id: string | null;
  visitor: { name: string | null; email: string | null; user_id: string | null; verified: boolean };
  conversation: {
    id: string;
    role: string;
    message: string;
    sources: VisitorReply['sources'];
    confidence: VisitorReply['confidence'];
    vote: 'up' | 'down' | null;
    created_at: string;
  }[];
}

interface Identity {
  name?: string;
  email?: string;
  user_id?: string;
  expires?: number;
  signature?: string;
}

/** A person in front of a page that shows a chatbot. */
export interface Visitor {
  /** From the last answer that had one. */
  token(): string | undefined;
  ask(message: string, headers?: Record<string, string>): Promise<Answer<VisitorReply>>;
  /** The same, for an answer that must have succeeded. */
  told(message: string): Promise<VisitorReply>;
  mine(): Promise<Answer<OwnConversation>>;
  vote(message: string, vote: string, reason?: string): Promise<Answer<unknown>>;
  identify(identity: Identity): Promise<Answer<{ visitor_token: string }>>;
  /** Sends any request, with the visitor's origin and token. */
  send<T>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer<T>>;
}

export interface VisitorOptions {
  /** Origin of the page; the gateway's own by default. */
  origin?: string | undefined;
  token?: string | undefined;
  send?: Send;
}

/** A client of the routes for browsers, whose paths begin with `/public/v1`. `baseUrl` is that of the API, with `/v1`. */
export const publicApi = (baseUrl: string, send: Send = fetch): Api =>
  keyed(baseUrl.replace(/\/v1$/, ''), '', send).as(undefined);

/** A visitor of the chatbot with this public id. */
export function visitorOf(baseUrl: string, publicId: string, options: VisitorOptions = {}): Visitor {
  const api = publicApi(baseUrl, options.send);
  const origin = options.origin ?? new URL(baseUrl).origin;
  let { token } = options;

  async function send<T>(
    method: string,
    path: string,
    more: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const own = { ...(origin !== '' && { origin }), ...(token !== undefined && { 'x-visitor-token': token }) };
    const answer = await api.request<T>(method, `/public/v1/chatbots/${publicId}${path}`, {
      ...more,
      headers: { ...own, ...more.headers },
    });
    const { visitor_token } = (answer.body?.data ?? {}) as { visitor_token?: string };
    token = visitor_token ?? token;
    return answer;
  }

  const ask = (message: string, headers: Record<string, string> = {}) =>
    send<VisitorReply>('POST', '/reply', { body: { message }, headers });
  return {
    token: () => token,
    ask,
    told: async (message) => must(await ask(message)),
    mine: () => send('GET', '/conversations/mine'),
    vote: (message, vote, reason) => send('POST', `/messages/${message}/vote`, { body: { vote, reason } }),
    identify: (identity) => send('POST', '/identify', { body: identity }),
    send,
  };
}

const MINUTE = 60;

/** Computes the proof by which the server of a page vouches for its user. */
export function vouched(secret: string, identity: Identity & { user_id: string }): Identity {
  const expires = identity.expires ?? Math.floor(Date.now() / 1000) + MINUTE;
  const { user_id, name = '', email = '' } = identity;
  const signed = [user_id, name, email, expires].join('\n');
  return { ...identity, expires, signature: createHmac('sha256', secret).update(signed).digest('hex') };
}

/** Settings without limits of visitors. */
export const UNLIMITED = {
  VISITOR_REQUESTS_PER_MINUTE: '0',
  VISITOR_MESSAGES_PER_MINUTE: '0',
  VISITOR_ADDRESS_MESSAGES_PER_MINUTE: '0',
  VISITOR_MESSAGES_PER_DAY: '0',
  VISITOR_REPLIES_AT_ONCE: '0',
  VISITOR_ADDRESS_REPLIES_AT_ONCE: '0',
};
