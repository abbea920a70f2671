import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
// biome-ignore lint/style/noRestrictedImports: serves only
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Certificate, Component, Listen } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { randomId } from '@parley/runtime/rpc';
import { failure } from './envelope.ts';

export interface HttpServer extends Component {
  address(): AddressInfo;
  /** Returns whether it is stopping. */
  leaving(): boolean;
  /** Shows new clients this certificate from now on. */
  renew(certificate: Certificate): void;
}

const LIMITS = {
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // RFC 9112 requires a 400, which Node would send without a body; we send it in the envelope.
  requireHostHeader: false,
};

/** How long the headers may take, unless a whole request must be faster. */
const HEADERS_MS = 15_000;
/** Bodies have shorter limits of their own; this is a backstop, beyond the time of an upload. */
const REQUEST_MS = 120_000;
/** How long a client may go on sending a request that has been answered. */
const UNREAD_MS = 30_000;
const SWEEP_MS = 50;
/** Allowance for stopping after the last request has finished. */
const MARGIN_MS = 5_000;

export interface HttpServerOptions {
  listen: Listen;
  /** Absent: HTTP. */
  certificate?: Certificate | undefined;
  handler: RequestListener;
  /** How long requests in flight may take when it stops. */
  graceMs: number;
  /** How long it keeps serving before that. */
  lingerMs: number;
  /** How long a client may take to send a request. */
  bodyMs: number;
  /** How long an upload may take. */
  uploadMs: number;
}

/** Node's HTTP server, which also sends parser errors in the envelope and stops without breaking a response. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { listen, certificate, handler, graceMs, lingerMs, bodyMs, uploadMs } = options;
  let leaving = false;
  /** With how many bytes each had read when it could send its first request; a handshake takes some. */
  const sockets = new Map<Socket, number>();
  /** The responses that each connection still waits for, in the order of its requests. */
  const owed = new WeakMap<Socket, Set<ServerResponse>>();
  const owedTo = (socket: Socket) => [...(owed.get(socket) ?? [])];
  const limits = { ...LIMITS, headersTimeout: Math.min(HEADERS_MS, bodyMs), requestTimeout: REQUEST_MS + uploadMs };

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request;
    owed.get(socket)?.add(response);
    response.once('close', () => owed.get(socket)?.delete(response));
    response.once('finish', () => request.complete || endUnread(request));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (leaving) response.setHeader('Connection', 'close');
    const wrong = faultOf(request);
    if (wrong !== undefined) return decline(response, 400, wrong);
    return handler(request, response);
  }
  const secure = certificate && createSecureServer({ ...limits, ...certificate, handshakeTimeout: HEADERS_MS }, answer);
  const server = secure ?? createServer(limits, answer);
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.set(socket, socket.bytesRead);
    owed.set(socket, new Set());
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('checkExpectation', (_request, response) =>
    decline(response, 417, 'The only expectation known here is 100-continue.'),
  );

  const refused = new WeakSet<Socket>();
  /** Refuses what no request could be made of. Whole requests before it get their answers first. */
  async function refuseAfterOthers(socket: Socket, status: number, message: string) {
    if (!socket.writable) return socket.destroy();
    // More of the same data is another error.
    if (refused.has(socket)) return;
    refused.add(socket);
    const before = owedTo(socket).filter(({ req }) => req.complete);
    await Promise.all(before.map((response) => new Promise((resolve) => response.once('close', resolve))));
    if (!socket.writable || owedTo(socket).some(({ headersSent }) => headersSent)) return socket.destroy();
    return refuse(socket, status, message);
  }
  server.on('connect', (_request, socket) => refuseAfterOthers(socket as Socket, 405, 'CONNECT is not allowed here.'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The handshake failed.
    if (!owed.has(socket)) return socket.destroy();
    const [status, message] = PARSER_ERRORS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    return refuseAfterOthers(socket, status, message);
  });

  return {
    name: 'http server',
    address: () => server.address() as AddressInfo,
    leaving: () => leaving,
    renew: (renewed) => secure?.setSecureContext(renewed),
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
        for (const [socket, begun] of sockets) if (socket.bytesRead === begun) socket.destroy();
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

/** Returns what is wrong with a request that Node's parser accepts. */
function faultOf({ httpVersion, headers, url = '' }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `HTTP/${httpVersion} is not spoken here.`;
  if (httpVersion === '1.1' && headers.host === undefined) return 'The request has no Host header.';
  if (!parseUrl(url, 'http://gateway')) return 'The request target is no address.';
  return undefined;
}

/** Refuses a request before the handler sees it, and closes the connection. */
function decline(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify(failure(message));
  response.writeHead(status, headersOf(body)).end(body);
}

/** The same directly on the socket, after Node has given up the request. */
function refuse(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify(failure(message));
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers].join('\r\n')}\r\n\r\n${body}`);
}

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'X-Request-Id': randomId(),
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
});
