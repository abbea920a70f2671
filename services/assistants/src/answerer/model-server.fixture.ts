import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  body: { model: string; messages: { role: string; content: string }[]; [field: string]: unknown };
  authorization: string | undefined;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage) => unknown;

/** An OpenAI-compatible server on loopback that behaves as told, once for each request; the last behaviour stays. */
export async function startModelServer(...behaviours: Behaviour[]) {
  const requests: ModelRequest[] = [];
  let hungUp = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    requests.push({ body: JSON.parse(body), authorization: request.headers.authorization });
    response.once('close', () => {
      if (!response.writableFinished) hungUp++;
    });
    behaviours[Math.min(requests.length, behaviours.length) - 1]!(response, request);
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

export const says =
  (text: string): Behaviour =>
  (response) => {
    begin(response, text);
    response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
  };

/** The stream ends in order, but in the middle of the text. */
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

/** Says a few words, then nothing, for ever. */
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

/** The model's context ended before its answer did. */
export const runsOut =
  (text: string): Behaviour =>
  (response) => {
    begin(response, text);
    response.end(`${event({}, 'length')}data: [DONE]\n\n`);
  };

export const answersHtml: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html>It works!</html>');
};
