import http from 'node:http';
import https from 'node:https';

/** A transient failure of the server or the network. */
export class PassingFailure extends Error {
  override name = 'PassingFailure';
}

/**
 * minio turns these into an error without reading the response, which would leak the socket ("responses of 503 with
 * unread bodies leave no connection behind").
 */
const UNREAD = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

interface Bounds {
  /** How long a socket may be silent. */
  idleMs: number;
  /** Ends a request at any time, including the body of its response. */
  signal: AbortSignal;
}

/**
 * The transport that minio sends requests with. Its default has no timeout and takes no signal ("a server that accepts
 * and never answers fails every method", "a call that is aborted while the server stalls rejects at once").
 */
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
