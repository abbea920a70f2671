import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelServer } from './servers.ts';

/** One request to a model server, and its response. */
export interface Exchange {
  path: string;
  status: number;
  asked: Record<string, unknown>;
  /** The body of the response, as far as it arrived. */
  answer: string;
}

export interface OneAddress extends AsyncDisposable {
  /** Includes `/v1`. */
  baseUrl: string;
  /** Where further requests go. */
  to: Upstreams;
  /** In the order in which they ended. */
  exchanges: Exchange[];
}

interface Upstreams {
  chat: Pick<ModelServer, 'baseUrl'>;
  embeddings: Pick<ModelServer, 'baseUrl'>;
}

/**
 * Parley uses one server for chat and embeddings, but the tests have one for each: this proxy forwards bytes unchanged to
 * either, and records the exchanges.
 */
export async function oneAddress(to: Upstreams): Promise<OneAddress> {
  const exchanges: Exchange[] = [];
  const front: OneAddress = { baseUrl: '', to, exchanges, [Symbol.asyncDispose]: close };
  const server = createServer(async (request, response) => {
    const { chat, embeddings } = front.to;
    const { origin } = new URL((request.url === '/v1/embeddings' ? embeddings : chat).baseUrl);
    await passOn(origin, request, response).then(
      (exchange) => exchanges.push(exchange),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  front.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return front;

  async function close() {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** Forwards a request; closing one side closes the other. Rejects if there is no response. */
async function passOn(origin: string, request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const body = await textOf(request);
  const { method, headers, url = '/' } = request;
  const upstream = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = send(origin + url, { method, headers, agent: false }, resolve).on('error', reject);
    response.once('close', () => sending.destroy());
    sending.end(body);
  });
  const { statusCode: status = 0 } = upstream;
  response.writeHead(status, upstream.headers);
  let answer = '';
  for await (const bytes of upstream.setEncoding('utf8')) {
    answer += bytes;
    response.write(bytes);
  }
  response.end();
  return { path: url, status, asked: JSON.parse(body), answer };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

/** The text that the model wrote in a streamed response. */
export function written({ answer }: Exchange): string {
  const events = answer.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => JSON.parse(line.slice('data: '.length)).choices[0]?.delta?.content ?? '').join('');
}
