import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelServer } from './servers.ts';

/** One request to a model's server, and its answer. */
export interface Exchange {
  path: string;
  status: number;
  asked: Record<string, unknown>;
  /** The answer's body, as far as it came. */
  answer: string;
}

export interface OneAddress extends AsyncDisposable {
  /** With its `/v1`. */
  baseUrl: string;
  /** Where requests go from now on. */
  to: Upstreams;
  /** In the order of their ends. */
  exchanges: Exchange[];
}

interface Upstreams {
  chat: Pick<ModelServer, 'baseUrl'>;
  embeddings: Pick<ModelServer, 'baseUrl'>;
}

/**
 * Parley knows one server for chat and embeddings, where the real ones for tests are two: this passes bytes on to either
 * as they are, and keeps what was said.
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

/** Whoever hangs up on one side is gone for the other too. Rejects where there is no answer. */
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

/** What a model wrote in a streamed answer. */
export function written({ answer }: Exchange): string {
  const events = answer.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => JSON.parse(line.slice('data: '.length)).choices[0]?.delta?.content ?? '').join('');
}
