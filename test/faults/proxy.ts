import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { Duplex, PassThrough, Transform } from 'node:stream';

/** The socket file of the embedded engine. */
export const socketOf = (uri: string): string => decodeURIComponent(hostOf(uri));

/** The same database through a proxy. */
export const onPort = (uri: string, { port }: Proxy): string => uri.replace(hostOf(uri), `127.0.0.1:${port}`);

const hostOf = (uri: string): string => /^mongodb:\/\/([^/?]+)/.exec(uri)![1]!;

export interface Proxy {
  readonly port: number;
  /** Closes all connections. */
  stop(): Promise<void>;
}

/** Streams that the bytes of one connection pass through; by default none. */
export interface Passage {
  requests?(): Duplex;
  answers?(): Duplex;
}

/** Forwards connections on a port of the loopback address to a server, which need not run yet. */
export async function startProxy(server: NetConnectOpts, passage: Passage = {}, port = 0): Promise<Proxy> {
  const { requests = () => new PassThrough(), answers = () => new PassThrough() } = passage;
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = createConnection(server);
    for (const [socket, through, other] of [
      [client, requests(), upstream],
      [upstream, answers(), client],
    ] as const) {
      open.add(socket);
      socket.pipe(through.on('error', () => {})).pipe(other);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          through.destroy();
          other.destroy();
        });
    }
  });
  await once(listener.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A point where a test can hold up what passes. */
export interface Barrier {
  through(): Duplex;
  close(): void;
}

/** Open until it is closed, and never opened again. */
export function barrier(): Barrier {
  let closed = false;
  return {
    through: () =>
      new Transform({
        transform(chunk, _encoding, done) {
          if (!closed) done(null, chunk);
        },
      }),
    close() {
      closed = true;
    },
  };
}

/** Holds up the connection of each MongoDB request that `isHeld` picks, at that request: the server never gets it. */
export function heldRequests(isHeld: (request: Buffer) => boolean) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    through: () =>
      Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
        for await (const request of requestsOf(chunks)) {
          if (isHeld(request)) {
            count += 1;
            await new Promise(() => {});
          }
          yield request;
        }
      }),
  };
}

/** MongoDB's messages begin with 32 bits for their own length. */
async function* requestsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = endOf(rest); end <= rest.length; end = endOf(rest)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    }
  }
}

const endOf = (messages: Buffer) => (messages.length < 4 ? Number.POSITIVE_INFINITY : messages.readInt32LE());
