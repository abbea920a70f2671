// biome-ignore lint/style/noRestrictedImports: speaks to our own services only
import http2, { type ServerHttp2Session } from 'node:http2';

type Session = Pick<ServerHttp2Session, 'closed' | 'destroyed' | 'ping'>;

/**
 * A session that is closing lets its streams finish, and sends no more pings. grpc-js takes that for a lost connection and drops
 * the streams (https://github.com/grpc/grpc-node/issues/3068): every long answer that a connection's age, or a stopping server,
 * overtakes. So such a session answers pings by itself. Whether its peer is still there shows only at a call's deadline then.
 */
function answerPingsWhileClosing<T extends Session>(session: T): T {
  const ping = session.ping.bind(session) as (...args: unknown[]) => boolean;
  return Object.assign(session, {
    ping(...args: unknown[]): boolean {
      if (!session.closed || session.destroyed) return ping(...args);
      const answered = args.at(-1) as (error: null, duration: number, payload: Buffer) => void;
      setImmediate(answered, null, 0, Buffer.alloc(8));
      return true;
    },
  });
}

const { connect, createServer } = http2;
/** grpc-js reads both from this module with each call, and nothing else here speaks HTTP/2. */
Object.assign(http2, {
  connect: (...args: Parameters<typeof connect>) => answerPingsWhileClosing(connect(...args)),
  createServer: (...args: Parameters<typeof createServer>) =>
    createServer(...args).on('session', answerPingsWhileClosing),
});
