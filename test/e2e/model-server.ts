import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const DIMENSIONS = 128;
/** So short an answer is asked for only to find out whether the server answers again. */
const PROBE_TOKENS = 1;

export interface ModelServer extends AsyncDisposable {
  /** Includes `/v1`. */
  baseUrl: string;
  /** Settings of a system that uses it. */
  variables: Record<string, string>;
  /** The response to all further requests, whole or in parts, or the status that they fail with. */
  chat: string | string[] | number;
  /** Called before each part of a response, which waits for it. */
  beforePart(part: number): Promise<void> | void;
  /** The response to requests without passages: how to search for a message. */
  rewritten: string;
  /** The status of requests for embeddings; 200 if they succeed. */
  embedding: number;
  /** The bodies of requests to the chat model. */
  prompts: string[];
  /** The chat model responds only after this resolves. */
  held: Promise<void>;
  authorizations: Set<string | undefined>;
  /** The traces that its requests were part of. */
  traces: string[];
}

/** An OpenAI-compatible server on loopback: its vectors count words, and the test sets its chat responses. */
export async function modelServer(): Promise<ModelServer> {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    server.authorizations.add(request.headers.authorization);
    server.traces.push(...[request.headers['traceparent'] ?? []].flat());
    if (request.url === '/v1/embeddings') return embed(server.embedding, JSON.parse(body), response);
    // A client of whatever listened on this port before may still try it.
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    if (JSON.parse(body).max_tokens !== PROBE_TOKENS) server.prompts.push(body);
    await server.held;
    const isRewriting = !body.includes('<passages-') && server.rewritten !== '';
    await say(isRewriting ? server.rewritten : server.chat, server, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  const server: ModelServer = {
    baseUrl,
    variables: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'sk-of-this-test', OPENAI_EMBEDDING_MODEL: 'words' },
    chat: 500,
    beforePart: () => {},
    rewritten: '',
    embedding: 200,
    prompts: [],
    held: Promise.resolve(),
    authorizations: new Set(),
    traces: [],
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

async function say(chat: ModelServer['chat'], { beforePart }: ModelServer, response: ServerResponse): Promise<void> {
  if (typeof chat === 'number') {
    fail(chat, response);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (delta: object, finish_reason: string | null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  for (const [i, content] of [chat].flat().entries()) {
    await beforePart(i);
    event({ role: 'assistant', content }, null);
  }
  event({}, 'stop');
  response.end('data: [DONE]\n\n');
}

const fail = (status: number, response: ServerResponse) =>
  json(response, status, { error: { message: 'No: the key sk-of-this-test is not the matter.' } });

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
