import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the public API. */
export interface StubAnswer {
  sentences: string[];
  sources: { n: number; title: string; url: string | null }[];
  confidence: 'high' | 'low' | null;
}

interface Request {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: as it was sent.
  body: any;
}

interface Said {
  id: string;
  role: 'user' | 'assistant';
  message: string;
  sources?: StubAnswer['sources'];
  confidence?: StubAnswer['confidence'];
}

export interface StubGateway extends AsyncDisposable {
  /** Ends with a slash. */
  base: string;
  chatbot: object | undefined;
  form: object;
  answer: StubAnswer;
  /** Called before each sentence of a stream; may wait, or destroy the connection. */
  beforeSentence(index: number, response: ServerResponse): Promise<void> | void;
  /** The status and the message with which the next requests to a path that ends so are refused. */
  refuse: Map<string, [status: number, message: string]>;
  /** Messages of visitors, by token. */
  conversations: Map<string, Said[]>;
  requests: Request[];
  /** Called first; true if it has answered. */
  serve(request: Request, response: ServerResponse): boolean;
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Content-Type, X-Visitor-Token, Idempotency-Key',
  'Access-Control-Expose-Headers': 'Retry-After',
  'Access-Control-Max-Age': '600',
};

/** A server on loopback that behaves as the public API does, and as badly as a test wants. */
export async function stubGateway(): Promise<StubGateway> {
  const http = createServer(async (incoming, response) => {
    let body = '';
    for await (const part of incoming) body += part;
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: body && JSON.parse(body) };
    if (stub.serve(request, response)) return;
    if (method === 'OPTIONS') return void response.writeHead(204, CORS).end();
    stub.requests.push(request);
    const refused = [...stub.refuse].find(([path]) => url.endsWith(path))?.[1];
    if (refused) return fail(response, ...refused);
    return answer(stub, answers, request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  /** Answers already given, by Idempotency-Key. */
  const answers = new Map<string, object>();
  const stub: StubGateway = {
    base: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    chatbot: {
      public_id: 'R7ne6P7zrruV',
      title: 'Help',
      greeting: null,
      suggestions: ['When are you open?', 'Where are you?'],
      colour: '#0b7a4b',
      ticket_form: null,
    },
    form: { title: 'Write to us', fields: [] },
    answer: { sentences: ['From nine to five. [1]'], sources: [], confidence: 'high' },
    beforeSentence: () => {},
    refuse: new Map(),
    conversations: new Map(),
    requests: [],
    serve: () => false,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
  return stub;
}

async function answer(stub: StubGateway, answers: Map<string, object>, request: Request, response: ServerResponse) {
  const { path, headers, body } = request;
  const token = headers['x-visitor-token'] as string | undefined;
  if (token !== undefined && !stub.conversations.has(token)) return fail(response, 401, 'This token is not valid.');
  if (path.endsWith('/reply')) return reply(stub, answers, request, response);
  if (path.endsWith('/conversations/mine')) return succeed(response, { conversation: stub.conversations.get(token!) });
  if (path.endsWith('/identify')) {
    if (token !== undefined) return succeed(response, { visitor_token: token });
    return succeed(response, { visitor_token: begin(stub) });
  }
  if (path.endsWith('/vote')) return succeed(response, {});
  if (path.endsWith('/tickets')) return succeed(response, { id: 'ticket', token: body.email });
  if (path.includes('/ticket-forms/')) return succeed(response, stub.form);
  return stub.chatbot ? succeed(response, stub.chatbot) : fail(response, 404, 'There is no such chatbot.');
}

/** Mints a token. */
function begin({ conversations }: StubGateway): string {
  const token = `token-${conversations.size + 1}`;
  conversations.set(token, []);
  return token;
}

/** A stream of one token a sentence; a repeated key gets the whole answer at once. */
async function reply(stub: StubGateway, answers: Map<string, object>, request: Request, response: ServerResponse) {
  const key = request.headers['idempotency-key'] as string;
  const { sentences, sources, confidence } = stub.answer;
  const message = sentences.join('');
  let done = answers.get(key);
  const isReplayed = done !== undefined;
  if (!done) {
    const token = (request.headers['x-visitor-token'] as string | undefined) ?? begin(stub);
    const said = stub.conversations.get(token)!;
    said.push({ id: `${token}-${said.length}`, role: 'user', message: request.body.message });
    const message_id = `${token}-${said.length}`;
    said.push({ id: message_id, role: 'assistant', message, sources, confidence });
    done = { visitor_token: token, message_id, message, sources, confidence };
    answers.set(key, done);
  }
  response.writeHead(200, { ...CORS, 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  if (sources.length > 0) send('sources', sources);
  for (const [i, text] of (isReplayed ? [message] : sentences).entries()) {
    await stub.beforeSentence(i, response);
    if (response.destroyed) return;
    send('token', { text });
  }
  send('done', done);
  response.end();
}

function succeed(response: ServerResponse, data: unknown): void {
  response.writeHead(200, { ...CORS, 'Content-Type': 'application/json' }).end(JSON.stringify({ success: true, data }));
}

function fail(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, {
      ...CORS,
      'Content-Type': 'application/json',
    })
    .end(JSON.stringify({ success: false, message }));
}
