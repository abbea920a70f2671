import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A delivery as the receiver got it. */
export interface Message {
  id: string;
  type: string;
  timestamp: string;
  data: { n?: number; [name: string]: unknown };
  headers: Record<string, string>;
  /** The bytes of the body, as they were signed. */
  body: string;
}

/** Answers a message; the receiver counts those that it accepts. */
type Answer = (message: Message, response: ServerResponse) => unknown;

export interface Receiver {
  url: string;
  /** All requests, in the order in which they came. */
  readonly asked: Message[];
  /** Those that were answered with 2xx. */
  readonly accepted: Message[];
  /** The most requests that were open at once. */
  readonly mostOpen: number;
  answer: Answer;
  close(): Promise<void>;
}

export const accepts: Answer = (_, response) => response.writeHead(204).end();
export const answers =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end('a body that no tenant sees');
export const hangs: Answer = () => {};

/** A real receiver on loopback. @param port of one that was closed before */
export async function receiver(answer: Answer = accepts, port = 0): Promise<Receiver> {
  const asked: Message[] = [];
  const accepted: Message[] = [];
  let [open, mostOpen] = [0, 0];
  const server = createServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    response.on('close', () => open--);
    const message = await read(request);
    asked.push(message);
    response.on('finish', () => response.statusCode < 300 && accepted.push(message));
    await receiving.answer(message, response);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const receiving: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    asked,
    accepted,
    get mostOpen() {
      return mostOpen;
    },
    answer,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
  return receiving;
}

async function read(request: IncomingMessage): Promise<Message> {
  const content = (await json(request)) as Omit<Message, 'id' | 'headers' | 'body'>;
  const headers = request.headers as Record<string, string>;
  return { id: headers['webhook-id']!, ...content, headers, body: JSON.stringify(content) };
}
