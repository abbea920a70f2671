import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Component, Listen } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { randomId } from '@parley/runtime/rpc';
import { failure } from './envelope.ts';

export interface HttpServer extends Component {
  address(): AddressInfo;
}

const LIMITS = {
  headersTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // RFC 9112 requires a 400, which Node would send without a body; we send it in the envelope.
  requireHostHeader: false,
};

/** Bodies have shorter limits of their own; this is a backstop, beyond the time of an upload. */
const REQUEST_MS = 120_000;
/** How long a client may go on sending a request that has been answered. */
const UNREAD_MS = 30_000;
const SWEEP_MS = 50;
/** Allowance for stopping after the last request has finished. */
const MARGIN_MS = 5_000;

export interface HttpServerOptions {
  listen: Listen;
  handler: RequestListener;
  /** How long requests in flight may take when it stops. */
  graceMs: number;
  /** How long it keeps serving before that. */
  lingerMs: number;
  /** How long an upload may take. */
  uploadMs: number;
}

/** Node's HTTP server, which also sends parser errors in the envelope and stops without breaking a response. */
export function createHttpServer({ listen, handler, graceMs, lingerMs, uploadMs }: HttpServerOptions): HttpServer {
  let leaving = false;
  const answering = new WeakMap<Socket, ServerResponse>();
  const sockets = new Set<Socket>();
  const server = createServer({ ...LIMITS, requestTimeout: REQUEST_MS + uploadMs }, (request, response) => {
    const { socket } = request;
    answering.set(socket, response);
    response.once('close', () => answering.get(socket) === response && answering.delete(socket));
    response.once('finish', () => request.complete || endUnread(request));
    response.setHeader('X-Content-Type-Options', 'nosniff');
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
      if (!server.listening) throw new Error('the server is not listening');
    },
    async stop() {
      // Closing here can race with a request in flight, so ask clients to close.
      leaving = true;
      await sleep(lingerMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that was busy when the server closed becomes idle later; one that never sent anything counts as busy.
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

/** Node reads and drops the rest of a request that was answered early; a client that never ends is cut off. */
function endUnread(request: IncomingMessage): void {
  const timer = setTimeout(() => request.complete || request.socket.destroy(), UNREAD_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** Writes a response directly to the socket, after Node has given up the request, and closes the connection. */
function refuse(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify(failure(message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomId()}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
