import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { type KafkaServer, startKafka } from '../../deploy/stack/kafka.ts';
import { startMinio } from '../../deploy/stack/minio.ts';
import { type S3Server, TEST_KEYS } from '../../deploy/stack/s3-server.ts';
import { freePort } from '../../deploy/stack/server.ts';
import { socketOf, startProxy } from '../faults/proxy.ts';

export interface LateServers {
  /** Variables of the services, known before any server is running. */
  variables: Record<string, string>;
  start(): Promise<{ kafka: KafkaServer; minio: S3Server; engine: Engine }>;
  stop(): Promise<void>;
}

/** Servers with addresses that are known before they start. A proxy gives the engine, which uses a socket file, a port. */
export async function lateServers(dataDir: string): Promise<LateServers> {
  const [kafkaPort, minioPort, mongoPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const stops: (() => Promise<unknown>)[] = [];
  const started = async <S extends { stop(): Promise<unknown> }>(starting: Promise<S>) => {
    const server = await starting;
    stops.push(() => server.stop());
    return server;
  };
  return {
    variables: {
      KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
      MINIO_ENDPOINT: `http://127.0.0.1:${minioPort}`,
      MINIO_ACCESS_KEY: TEST_KEYS.accessKey,
      MINIO_SECRET_KEY: TEST_KEYS.secretKey,
      MONGODB_URI: `mongodb://127.0.0.1:${mongoPort}/?directConnection=true&w=1&journal=true`,
    },
    async start() {
      await mkdir(dataDir, { recursive: true });
      const minio = await started(startMinio({ dataDir: join(dataDir, 'minio'), port: minioPort }));
      const engine = await started(startEngine({ dataDir }));
      await started(startProxy({ path: socketOf(engine.uri) }, {}, mongoPort));
      const kafka = await started(startKafka({ dataDir: join(dataDir, 'kafka'), port: kafkaPort }));
      return { kafka, minio, engine };
    },
    async stop() {
      for (let next = stops.pop(); next; next = stops.pop()) await next();
    },
  };
}
