import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  body: { model: string; messages: { role: string; content: string }[]; [field: string]: unknown };
  authorization: string | undefined;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage, received: ModelRequest) => unknown;

/** An OpenAI-compatible server on loopback with a behaviour for each request; the last one is kept. */
export async function startModelServer(...behaviours: Behaviour[]) {
  const requests: ModelRequest[] = [];
  let hungUp = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const received = { body: JSON.parse(body), authorization: request.headers.authorization };
    requests.push(received);
    response.once('close', () => {
      if (!response.writableFinished) hungUp++;
    });
    behaviours[Math.min(requests.length, behaviours.length) - 1]!(response, request, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    hungUp: () => hungUp,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

function begin(response: ServerResponse, text: string) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const word of text.match(/.{1,7}/gs) ?? []) response.write(event({ role: 'assistant', content: word }));
}

/** Writes each part when the one before it has been let go. */
export const saysSlowly =
  (...parts: [text: string, next: Promise<unknown>][]): Behaviour =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [text, next] of parts) {
      response.write(event({ role: 'assistant', content: text }));
      await next;
    }
    response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
  };

/** Thinks in the field that servers of reasoning models have for it. */
export const reasons =
  (thought: string, text: string): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of thought.match(/.{1,7}/gs) ?? [])
      response.write(event({ role: 'assistant', reasoning_content: part, content: null }));
    for (const part of text.match(/.{1,3}/gs) ?? []) response.write(event({ content: part }));
    response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
  };

/** Answers in one piece, as servers do that know no streaming. */
export const saysAtOnce =
  (content: string): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content };
    response.end(
      JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    );
  };

export const says =
  (text: string, finish: 'stop' | 'length' = 'stop'): Behaviour =>
  (response) => {
    begin(response, text);
    response.end(`${event({}, finish)}data: [DONE]\n\n`);
  };

/** Also reports the tokens that it used, if the request asks for them. */
export const saysAndCounts =
  (text: string, prompt_tokens: number, completion_tokens: number): Behaviour =>
  async (response, _, { body }) => {
    begin(response, text);
    const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
    const isAsked = (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true;
    const last = isAsked
      ? `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], usage })}\n\n`
      : '';
    response.end(`${event({}, 'stop')}${last}data: [DONE]\n\n`);
  };

/** The stream ends properly, but in the middle of the text. */
export const endsEarly =
  (text: string): Behaviour =>
  (response) => {
    begin(response, text);
    response.end();
  };

export const breaksOff =
  (text: string): Behaviour =>
  (response, request) => {
    begin(response, text);
    setImmediate(() => request.socket.destroy());
  };

/** Says a few words, then stays silent forever. */
export const stalls =
  (text: string): Behaviour =>
  (response) =>
    begin(response, text);

export const silent: Behaviour = () => {};

export const fails =
  (status: number, headers: Record<string, string> = {}, code?: string): Behaviour =>
  (response, request) => {
    // Real servers quote the key in their message.
    const message = `no: ${request.headers.authorization}`;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, code } }));
  };

export const rejects =
  (message: string): Behaviour =>
  (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message, code: 400, type: 'invalid_request_error' } }));
  };

/** The model's context was full before its answer was complete. */
export const runsOut = (text: string): Behaviour => says(text, 'length');

export const answersHtml: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html>It works!</html>');
};
