import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const DIMENSIONS = 128;

export interface ModelServer extends AsyncDisposable {
  /** With its `/v1`. */
  baseUrl: string;
  /** What the model says from now on, or the status that it fails with. */
  chat: { quotes: string[]; answer: string } | number;
  /** The status that embedding fails with; 200: it works. */
  embedding: number;
  /** What was sent to the model. */
  prompts: string[];
  authorizations: Set<string | undefined>;
}

/** An OpenAI-compatible server on loopback: its vectors count words, its model says what the test wants. */
export async function modelServer(): Promise<ModelServer> {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    server.authorizations.add(request.headers.authorization);
    if (request.url === '/v1/embeddings') return embed(server.embedding, JSON.parse(body), response);
    server.prompts.push(body);
    say(server.chat, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: ModelServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    chat: 500,
    embedding: 200,
    prompts: [],
    authorizations: new Set(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
  return server;
}

function embed(status: number, { input }: { input: string | string[] }, response: ServerResponse): void {
  if (status !== 200) {
    fail(status, response);
    return;
  }
  const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vector(text) }));
  json(response, 200, { object: 'list', model: 'words', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
}

function vector(text: string): number[] {
  const counts = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ['']) {
    const slot = [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % DIMENSIONS, 7);
    counts[slot]! += 1;
  }
  return counts;
}

function say(chat: ModelServer['chat'], response: ServerResponse): void {
  if (typeof chat === 'number') {
    fail(chat, response);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (delta: object, finish_reason: string | null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  event({ role: 'assistant', content: JSON.stringify(chat) }, null);
  event({}, 'stop');
  response.end('data: [DONE]\n\n');
}

const fail = (status: number, response: ServerResponse) =>
  json(response, status, { error: { message: 'No: the key sk-of-this-test is not the matter.' } });

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
