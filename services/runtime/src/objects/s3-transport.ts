import http from 'node:http';
import https from 'node:https';

/** The server's trouble, or the network's, that may be over soon. */
export class PassingFailure extends Error {
  override name = 'PassingFailure';
}

/** The client throws these away unread, and with them what it knew; their sockets would never be free again. */
const UNREAD = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

interface Bounds {
  /** How long a socket may be silent. */
  idleMs: number;
  /** Ends a request at any moment, and the body of its response too. */
  signal: AbortSignal;
}

/** What the client sends its requests by. Its own has no time limit and can't be stopped. */
export function boundedTransport(secure: boolean, { idleMs, signal }: Bounds): Pick<typeof http, 'request'> {
  const { request } = secure ? https : http;
  const send = (options: http.RequestOptions, respond: (response: http.IncomingMessage) => void) => {
    const sent = request({ ...options, timeout: idleMs, signal }, (response) => {
      if (UNREAD.has(response.statusCode!)) sent.destroy(new PassingFailure(`HTTP status ${response.statusCode}`));
      else respond(response);
    });
    sent.on('timeout', () => sent.destroy(new PassingFailure(`No byte for ${idleMs} ms`)));
    return sent;
  };
  return { request: send as typeof http.request };
}
