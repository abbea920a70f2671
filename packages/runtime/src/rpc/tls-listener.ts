import { constants } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Log } from '../log.ts';
import type { Listen } from '../service-config.ts';
import type { RpcTls } from './tls.ts';

export interface Listener {
  start(): Promise<number>;
  /** Accepts no more connections; resolves when those that there are have ended. */
  close(): Promise<void>;
  /** Ends them. */
  destroy(): void;
}

/** The first byte of a TLS connection: a record with a handshake. */
const HANDSHAKE = 0x16;
/** How long a client may take to say anything, and for the handshake. */
const PATIENCE_MS = 10_000;

/**
 * Accepts connections over TLS for a gRPC server, of clients with a certificate of the same CA; and plaintext ones, where the
 * mode allows them. grpc-js itself can listen for only one of them on a port, and would refuse clients without a word.
 */
export function tlsListener(server: Server, listen: Listen, tls: RpcTls, log: Log, patienceMs = PATIENCE_MS): Listener {
  const http2 = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  /** Those that have said nothing yet. */
  const silent = new Set<Socket>();
  const secure = createTlsServer(
    {
      ...contextOf(tls),
      ...{ requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'], handshakeTimeout: patienceMs },
    },
    // Errors after the end of a session would be nobody's (https://github.com/nodejs/node/issues/35824).
    (socket) => http2.injectConnection(socket.on('error', () => {})),
  );
  tls.onRenewal(() => secure.setSecureContext(contextOf(tls)));
  secure.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const code = String(socket.authorizationError ?? error.code ?? error.message);
    log.warn({ code, peer: peerOf(socket) }, `A client was refused: ${REFUSALS[code] ?? 'the TLS handshake failed'}.`);
    // Node ends it after an error, but not after a handshake that takes too long.
    socket.destroy();
  });

  const listener = createServer((socket) => {
    sockets.add(socket);
    silent.add(socket);
    socket
      .on('close', () => {
        sockets.delete(socket);
        silent.delete(socket);
      })
      .on('error', () => {})
      .setTimeout(patienceMs, () => socket.destroy())
      .once('readable', () => accept(socket));
  });

  function accept(socket: Socket) {
    silent.delete(socket);
    const begun: Buffer | null = socket.read();
    if (begun === null) return socket.destroy();
    socket.setTimeout(0).removeAllListeners('timeout');
    const encrypted = begun[0] === HANDSHAKE;
    if (!encrypted && tls.mode === 'require') {
      log.warn({ peer: peerOf(socket) }, 'A client was refused: it does not speak TLS.');
      return socket.destroy();
    }
    socket.unshift(begun);
    if (encrypted) secure.emit('connection', socket);
    else http2.injectConnection(socket);
  }

  return {
    start: () =>
      new Promise((resolve, reject) => {
        listener.once('error', reject).listen(listen.port, listen.host, () => {
          listener.off('error', reject);
          resolve((listener.address() as AddressInfo).port);
        });
      }),
    close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of silent) socket.destroy();
      return closed;
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sessions can't be resumed: a resumed one would outlive the CA of its client. */
const contextOf = (tls: RpcTls) => ({ ...tls.certificate(), secureOptions: constants.SSL_OP_NO_TICKET });

const peerOf = ({ remoteAddress }: Socket) => remoteAddress;

const OTHER_CA = 'its certificate is of a CA that is not in ca.crt';

const REFUSALS: Record<string, string> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'it shows no certificate',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'its TLS handshake takes too long',
  INVALID_PURPOSE: 'its certificate is not for clients (extended key usage clientAuth)',
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_CA,
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_CA,
  UNABLE_TO_GET_ISSUER_CERT: OTHER_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_CA,
  CERT_SIGNATURE_FAILURE: OTHER_CA,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "it does not trust the CA of this process's certificate",
  ECONNRESET: "it has ended the handshake, as clients do that do not accept this process's certificate",
};
