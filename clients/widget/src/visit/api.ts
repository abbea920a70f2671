import type { Source } from '../answer/answer.tsx';
import { readEvents } from './events.ts';

/** The public API, as far as a visitor needs it. */

export interface Chatbot {
  title: string;
  greeting: string | null;
  suggestions: string[];
  colour: string | null;
  /** The public id of the form that leads to a person. */
  ticket_form: string | null;
}

export type Confidence = 'high' | 'low' | null;
export type Vote = 'up' | 'down';

export interface Reply {
  message_id: string;
  message: string;
  sources: Source[];
  confidence: Confidence;
  visitor_token: string;
}

/** A message of an earlier visit. */
export interface Said {
  id: string;
  role: 'user' | 'assistant';
  message: string;
  sources?: Source[];
  confidence?: Confidence;
  vote?: Vote | null;
}

export interface Identity {
  user_id?: string;
  name?: string;
  email?: string;
  /** In Unix seconds, at most a day ahead. */
  expires?: number;
  signature?: string;
}

export interface FormField {
  id: string;
  name: string;
  type: 'TEXT' | 'LONG_TEXT' | 'EMAIL' | 'NUMBER' | 'SELECT' | 'MULTI_SELECT' | 'CHECKBOX' | 'DATE';
  required: boolean;
  defaultSelectValues?: { value: string; label: string }[];
}

export interface Form {
  title: string;
  fields: FormField[];
}

export interface Ticket {
  email: string;
  name?: string;
  answers: { field_id: string; value: string | string[] | number | boolean }[];
  /** The visitor's token; the transcript goes along. */
  conversation?: string;
}

/** Callbacks while an answer is written. */
export interface Progress {
  text(sentence: string): void;
  sources(sources: Source[]): void;
}

/** A request that was refused, or that got no answer. */
export class Failure extends Error {
  /** 0: the connection failed. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, String(error));

/** The same request may succeed later: no connection, another request with this key under way, too many, unavailable. */
export const isPassing = ({ status }: Failure): boolean =>
  status === 0 || status === 409 || status === 429 || status >= 500;

export type Api = ReturnType<typeof createApi>;

/** A connection without a sign of life for this long counts as broken: before the answer begins, and after, when the gateway sends one every ten seconds. */
const FIRST_SIGN_MS = 90_000;
const SILENCE_MS = 30_000;

/** A ticket as the person behind it sees it. */
export interface OwnTicket {
  title: string;
  status: string;
  conversation: { role: 'user' | 'assistant'; message: string }[];
}

interface Sent {
  /** A form is sent as it is, anything else as JSON. */
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** `base` ends with a slash. `tokenOf` gives the visitor's token, if there is one. */
export function createApi(base: string, chatbot: string, tokenOf: () => string | undefined) {
  const there = `chatbots/${encodeURIComponent(chatbot)}`;
  const formOf = (id: string) => `ticket-forms/${encodeURIComponent(id)}`;

  async function send(path: string, { body, headers, signal }: Sent = {}): Promise<Response> {
    try {
      return await fetch(`${base}public/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }), ...headers },
        credentials: 'omit',
        cache: 'no-store',
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      throw failureOf(error);
    }
  }

  async function call<T>(path: string, sent?: Sent): Promise<T> {
    return dataOf(await send(path, sent));
  }

  /** Sends as the visitor of a conversation, who alone may do that. */
  function asVisitor({ headers, ...sent }: Sent = {}): Sent {
    const token = tokenOf();
    return { ...sent, headers: { ...headers, ...(token !== undefined && { 'X-Visitor-Token': token }) } };
  }

  /** Where the page may not show the chatbot, the browser does not let it read the refusal either. */
  async function asRefusal(error: Failure): Promise<Failure> {
    if (error.status !== 0) return error;
    const isReachable = await fetch(`${base}widget.js`, {
      method: 'HEAD',
      credentials: 'omit',
      cache: 'no-store',
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    return isReachable ? new Failure(403, 'This page may not show this chatbot.') : error;
  }

  return {
    async chatbot(): Promise<Chatbot> {
      try {
        return await call<Chatbot>(there);
      } catch (error) {
        throw await asRefusal(error as Failure);
      }
    },
    history: () => call<{ conversation: Said[] }>(`${there}/conversations/mine`, asVisitor()),
    identify: (body: Identity) => call<{ visitor_token?: string }>(`${there}/identify`, asVisitor({ body })),
    vote: (message: string, vote: Vote, reason?: string) =>
      call<unknown>(
        `${there}/messages/${encodeURIComponent(message)}/vote`,
        asVisitor({ body: { vote, ...(reason && { reason }) } }),
      ),
    form: (id: string) => call<Form>(formOf(id)),
    openTicket: (form: string, ticket: Ticket, files: readonly File[], key: string) =>
      call<{ id: string; token: string }>(`${formOf(form)}/tickets`, {
        body: files.length > 0 ? withFiles(ticket, files) : ticket,
        headers: { 'Idempotency-Key': key },
      }),
    ticket: (token: string) => call<OwnTicket>(`tickets/${encodeURIComponent(token)}`),
    write: (token: string, message: string, key: string) =>
      call<unknown>(`tickets/${encodeURIComponent(token)}/messages`, {
        body: { message },
        headers: { 'Idempotency-Key': key },
      }),

    /**
     * Asks, and reports the answer while it is written. The same `key` gets the same answer, however often it is sent. Aborts
     * `connection` when it falls silent.
     */
    async ask(message: string, key: string, progress: Progress, connection: AbortController): Promise<Reply> {
      let timer = setTimeout(() => connection.abort(), FIRST_SIGN_MS);
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => connection.abort(), SILENCE_MS);
      };
      try {
        const headers = { Accept: EVENTS, 'Idempotency-Key': key };
        const { signal } = connection;
        const response = await send(`${there}/reply`, asVisitor({ body: { message }, headers, signal }));
        if (!response.headers.get('Content-Type')?.startsWith(EVENTS)) return await dataOf(response);
        return await answerOf(response.body!, progress, alive);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The fields first: a form that is refused for them need not store its files. */
function withFiles({ answers, ...fields }: Ticket, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value as string);
  form.append('answers', JSON.stringify(answers));
  for (const file of files) form.append('files', file);
  return form;
}

const EVENTS = 'text/event-stream';

async function answerOf(body: ReadableStream<Uint8Array>, progress: Progress, alive: () => void): Promise<Reply> {
  try {
    for await (const { event, data } of readEvents(body, alive)) {
      if (event === 'token') progress.text(data.text);
      if (event === 'sources') progress.sources(data);
      if (event === 'error') throw new Failure(503, data.message);
      if (event === 'done') return data;
    }
  } catch (error) {
    throw failureOf(error);
  }
  throw new Failure(0, 'The stream has ended before the answer.');
}

/** The data of a response in the envelope. */
async function dataOf<T>(response: Response): Promise<T> {
  const envelope = await response.json().catch(() => undefined);
  if (envelope?.success === true) return envelope.data;
  // What answers without an envelope is a proxy whose gateway is unavailable.
  const [status, message] = envelope ? [response.status, envelope.message] : [503, 'There is no answer.'];
  throw new Failure(status, message);
}
