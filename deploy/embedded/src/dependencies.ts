import { once } from 'node:events';
import { connect } from 'node:net';
import { mongoClient } from '@parley/runtime/mongo';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Variables } from './config.ts';

/** A server named in a variable. */
export interface Dependency {
  name: string;
  /** Its address, without credentials. */
  address: string;
  /** Advice if it does not respond. */
  advice: string;
  /** Rejects if it does not respond within `ANSWER_WITHIN_MS`; resolves to a message if it refuses us. */
  ask(): Promise<string | undefined>;
}

const ANSWER_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 5_000;
const REPEAT_EVERY_MS = 60_000;

/** The servers named in the variables, without those that Parley starts itself. */
export function dependenciesOf(variables: Variables): Dependency[] {
  const { MONGODB_URI, KAFKA_BROKERS, MINIO_ENDPOINT, OPENAI_BASE_URL } = variables;
  return [
    ...(MONGODB_URI ? [mongodb(MONGODB_URI, variables)] : []),
    ...(KAFKA_BROKERS ? [kafka(KAFKA_BROKERS)] : []),
    ...(MINIO_ENDPOINT ? [fileStore(MINIO_ENDPOINT)] : []),
    ...(OPENAI_BASE_URL ? [modelServer(OPENAI_BASE_URL, variables['OPENAI_API_KEY'])] : []),
  ];
}

/** @throws Error with a message for the user if the text is not a MongoDB address. */
function mongodb(uri: string, { MONGODB_TLS_CERT: cert, MONGODB_TLS_KEY: key }: Variables): Dependency {
  const address = mongodbAddress(uri);
  const tls = cert && key ? { cert, key } : undefined;
  return {
    name: 'MongoDB',
    address,
    advice: 'Start it or correct MONGODB_URI; without that variable Parley uses its own database.',
    async ask() {
      const client = mongoClient(
        { uri, tls },
        {
          serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
          connectTimeoutMS: ANSWER_WITHIN_MS,
          socketTimeoutMS: ANSWER_WITHIN_MS,
        },
      );
      try {
        await client.db('admin').command({ ping: 1 });
        return undefined;
      } catch (error) {
        if (!(error instanceof MongoServerError)) throw error;
        return `MongoDB at ${address} refuses us (${error.codeName ?? error.code}). Check the user and the password in MONGODB_URI.`;
      } finally {
        await client.close();
      }
    },
  };
}

function mongodbAddress(uri: string): string {
  try {
    const { srvHost, hosts } = new MongoClient(uri).options;
    return srvHost ?? hosts.map(String).join(', ');
  } catch {
    throw new Error('MONGODB_URI must be an address such as mongodb://user:password@host:27017.');
  }
}

const kafka = (brokers: string): Dependency => ({
  name: 'Kafka',
  address: brokers,
  advice: 'Start it or correct KAFKA_BROKERS; without that variable events travel through MongoDB.',
  async ask() {
    await Promise.any(brokers.split(',').map((broker) => answersTcp(broker.trim())));
    return undefined;
  },
});

async function answersTcp(address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } finally {
    socket.destroy();
  }
}

const fileStore = (endpoint: string): Dependency => ({
  name: 'The file store',
  address: endpoint,
  advice: 'Start it or correct MINIO_ENDPOINT; without that variable files are kept in the data directory.',
  async ask() {
    await get(endpoint);
    return undefined;
  },
});

const modelServer = (baseUrl: string, key: string | undefined): Dependency => ({
  name: 'The model server',
  address: baseUrl,
  advice: 'Start it or correct OPENAI_BASE_URL; without that variable Parley answers by itself.',
  async ask() {
    const { status } = await get(
      `${baseUrl.replace(/\/+$/, '')}/models`,
      key ? { authorization: `Bearer ${key}` } : {},
    );
    const refused = status === 401 || status === 403;
    return refused ? `The model server at ${baseUrl} refuses the key (${status}). Check OPENAI_API_KEY.` : undefined;
  },
});

async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await response.body?.cancel();
  return response;
}

/**
 * Reports servers that do not respond: at once, every minute while that lasts, and when they respond again. Returns a
 * function that stops watching.
 */
export function watchDependencies(
  dependencies: readonly Dependency[],
  say: (line: string) => void,
  { lookEveryMs = LOOK_EVERY_MS, repeatEveryMs = REPEAT_EVERY_MS } = {},
): () => void {
  const watches = dependencies.map((dependency) => {
    let reported: { problem: string; at: number } | undefined;
    let timer: NodeJS.Timeout | undefined;
    let ended = false;

    async function look() {
      const problem = await problemOf(dependency);
      if (ended) return;
      if (problem === undefined && reported) say(`${dependency.name} is available again.`);
      if (problem === undefined) reported = undefined;
      else if (reported?.problem !== problem || performance.now() - reported.at >= repeatEveryMs) {
        say(problem);
        reported = { problem, at: performance.now() };
      }
      timer = setTimeout(look, lookEveryMs);
    }

    look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  });
  return () => {
    for (const end of watches) end();
  };
}

function problemOf({ name, address, advice, ask }: Dependency): Promise<string | undefined> {
  return ask().catch(
    () => `${name} does not respond at ${address}. ${advice} Parley continues as soon as it responds.`,
  );
}
