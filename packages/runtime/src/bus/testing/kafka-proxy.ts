import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Request types, by their numbers in Kafka's protocol. */
export const JOIN_GROUP = 11;
export const SYNC_GROUP = 14;

/** Does to Kafka's clients what a network can do, for tests. */
export interface KafkaProxy {
  /** Number of connected clients. */
  readonly connections: number;
  /** Still accepts connections, as a hung broker does, but forwards nothing. */
  pause(): void;
  /** Also forwards everything that has arrived meanwhile. */
  resume(): void;
  /**
   * Closes the connection of the next request of this type, before the broker gets it or before the client gets the
   * answer. Resolves when that has happened.
   */
  lose(lost: 'request' | 'answer', kind: number): Promise<void>;
  stop(): Promise<void>;
}

interface Loss {
  lost: 'request' | 'answer';
  kind: number;
  happened(): void;
}

interface Network {
  /** Pending while it is paused. */
  flowing: Promise<void>;
  coming?: Loss | undefined;
}

/**
 * Listens on a port in front of one broker, which must advertise this port instead of its own.
 *
 * @param broker port of the broker, on the loopback address like the proxy itself
 */
export async function startKafkaProxy(port: number, broker: number): Promise<KafkaProxy> {
  const network: Network = { flowing: Promise.resolve() };
  const clients = new Set<Socket>();
  let resume = () => {};
  const server = createServer(async (client) => {
    clients.add(client);
    await join(client, connect(broker, '127.0.0.1'), network);
    clients.delete(client);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');

  return {
    get connections() {
      return clients.size;
    },
    pause() {
      network.flowing = new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume: () => resume(),
    lose: (lost, kind) =>
      new Promise((happened) => {
        network.coming = { lost, kind, happened };
      }),
    async stop() {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}

/** Forwards both ways until one side closes or something is lost; then closes both. */
async function join(client: Socket, broker: Socket, network: Network) {
  let withoutAnswer: { id: number; loss: Loss } | undefined;

  function losesRequest(request: Buffer): boolean {
    if (network.coming?.kind !== request.readInt16BE(4)) return false;
    const loss = network.coming;
    network.coming = undefined;
    if (loss.lost === 'answer') withoutAnswer = { id: request.readInt32BE(8), loss };
    else loss.happened();
    return loss.lost === 'request';
  }
  function losesAnswer(answer: Buffer): boolean {
    if (withoutAnswer?.id !== answer.readInt32BE(4)) return false;
    withoutAnswer.loss.happened();
    return true;
  }
  async function forward(from: Socket, to: Socket, loses: (frame: Buffer) => boolean) {
    for await (const frame of framesOf(from)) {
      await network.flowing;
      if (loses(frame)) return;
      to.write(frame);
    }
  }

  for (const socket of [client, broker]) socket.on('error', () => {}); // Also ends `forward`.
  await Promise.race([forward(client, broker, losesRequest), forward(broker, client, losesAnswer)]).catch(() => {});
  client.destroy();
  broker.destroy();
}

/** Requests and answers alike: 32 bits for the length of the rest. */
async function* framesOf(socket: Socket): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = endOf(rest); end <= rest.length; end = endOf(rest)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    }
  }
}

const endOf = (frames: Buffer) => (frames.length < 4 ? Number.POSITIVE_INFINITY : 4 + frames.readInt32BE());
