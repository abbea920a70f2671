import { createServer, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Component, type Listen, randomId } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { failure } from './envelope.ts';

export interface HttpServer extends Component {
  address(): AddressInfo;
}

const LIMITS = {
  headersTimeout: 15_000,
  // Bodies have a shorter limit of their own; this one ends what escapes it.
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // RFC 9112 wants a 400, which Node would give without a body; here it comes in the envelope.
  requireHostHeader: false,
};

const SWEEP_MS = 50;
/** What it needs to stop when nothing is under way any more. */
const MARGIN_MS = 5_000;

export interface HttpServerOptions {
  listen: Listen;
  handler: RequestListener;
  /** How long answers under way may take when it stops. */
  graceMs: number;
  /** How long it serves on before that. */
  lingerMs: number;
}

/** Node's HTTP server, which answers in the envelope also what its parser refuses, and stops without breaking an answer. */
export function createHttpServer({ listen, handler, graceMs, lingerMs }: HttpServerOptions): HttpServer {
  let leaving = false;
  const answering = new WeakMap<Socket, ServerResponse>();
  const sockets = new Set<Socket>();
  const server = createServer(LIMITS, (request, response) => {
    const { socket } = request;
    answering.set(socket, response);
    response.once('close', () => answering.get(socket) === response && answering.delete(socket));
    if (leaving) response.setHeader('Connection', 'close');
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      return refuse(socket, 400, 'The request has no Host header.');
    if (!parseUrl(request.url ?? '', 'http://gateway')) return refuse(socket, 400, 'The request target is no address.');
    return handler(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('checkExpectation', ({ socket }) =>
    refuse(socket, 417, 'The only expectation known here is 100-continue.'),
  );
  server.on('connect', (_request, socket) => refuse(socket as Socket, 405, 'CONNECT is not allowed here.'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || answering.get(socket)?.headersSent) return socket.destroy();
    const [status, message] = PARSER_ERRORS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    return refuse(socket, status, message);
  });

  return {
    name: 'http server',
    address: () => server.address() as AddressInfo,
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(listen.port, listen.host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    async ready() {
      if (!server.listening) throw new Error('the server does not listen');
    },
    async stop() {
      // A connection that is closed from here may carry a request by then: it is better closed by its client, who is asked.
      leaving = true;
      await sleep(lingerMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that was answering when the server closed falls idle later; for Node one that never spoke is busy.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, SWEEP_MS);
      const waiting = new AbortController();
      await Promise.race([closed, sleep(graceMs, undefined, { signal: waiting.signal }).catch(() => {})]);
      waiting.abort();
      clearInterval(sweep);
      server.closeAllConnections();
    },
    stopMs: lingerMs + graceMs + MARGIN_MS,
  };
}

const PARSER_ERRORS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Answers past Node's own machinery, which has given the request up, and ends the connection. */
function refuse(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify(failure(message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomId()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
