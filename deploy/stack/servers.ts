import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, startEngine } from '../embedded/src/engine/start-engine.ts';
import { type KafkaServer, startKafka } from './kafka.ts';
import { startMinio } from './minio.ts';
import type { S3Server } from './s3-server.ts';

export type Variables = Record<string, string>;

/** The servers that a stack has started itself; absent if a given one is used. */
export interface OwnServers {
  kafka?: KafkaServer;
  minio?: S3Server;
  engine?: Engine;
}

/**
 * Starts the servers that `given` does not name, concurrently, and returns them and `given` with their variables added. Pushes
 * a function onto `stops` for each as soon as it is running.
 *
 * @param options.embedded starts only the database; the bus is in it, and files in a directory, as in `npm start`.
 */
export async function startServers(
  dataDir: string,
  given: Variables,
  stops: (() => Promise<unknown>)[],
  { embedded = false } = {},
): Promise<{ servers: OwnServers; variables: Variables }> {
  const own = async <S extends { stop(): Promise<unknown> }>(name: string, start: (dataDir: string) => Promise<S>) => {
    if (given[name]) return undefined;
    const server = await start(dataDir);
    stops.push(() => server.stop());
    return server;
  };
  const below = (name: string) => join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  if (embedded) {
    const engine = await own('MONGODB_URI', () => startEngine({ dataDir }));
    const local = { OBJECTS_DIR: below('objects'), INDEX_DIR: below('index') };
    const variables = { ...local, ...given, ...(engine && { MONGODB_URI: engine.uri }) };
    return { servers: { ...(engine && { engine }) }, variables };
  }
  const [kafka, minio, engine] = await settled([
    own('KAFKA_BROKERS', () => startKafka({ dataDir: below('kafka') })),
    own('MINIO_ENDPOINT', () => startMinio({ dataDir: below('minio') })),
    own('MONGODB_URI', () => startEngine({ dataDir })),
  ]);
  const variables = {
    INDEX_DIR: below('index'),
    ...given,
    ...(kafka && { KAFKA_BROKERS: kafka.brokers }),
    ...(minio && {
      MINIO_ENDPOINT: minio.endpoint,
      MINIO_ACCESS_KEY: minio.accessKey,
      MINIO_SECRET_KEY: minio.secretKey,
    }),
    ...(engine && { MONGODB_URI: engine.uri }),
  };
  return { servers: { ...(kafka && { kafka }), ...(minio && { minio }), ...(engine && { engine }) }, variables };
}

/** Like `Promise.all`, but rejects only when all have settled, so that nothing is still starting in the background. */
export async function settled<const T extends readonly Promise<unknown>[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}
