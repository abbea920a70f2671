import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KafkaServer, startKafka } from './kafka.ts';

/** As the bus on Kafka takes it. */
export interface KafkaConnection {
  brokers: string[];
  clientId: string;
  tls?: boolean | { ca: string };
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
}

const ACCOUNT = { username: 'parley', password: 'a-password' };

/** A broker that also listens with TLS, for those who sign in. */
export interface SecuredKafka extends AsyncDisposable {
  kafka: KafkaServer;
  /** How to connect to that listener; `change` may break it. */
  connection(change?: Partial<KafkaConnection>): KafkaConnection;
}

export async function startSecuredKafka(): Promise<SecuredKafka> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-kafka-'));
  const { key, certificate } = await selfSigned(dataDir);
  const kafka = await startKafka({ dataDir, secured: { key, certificate, ...ACCOUNT } });
  return {
    kafka,
    connection: (change) => ({
      ...{ brokers: [kafka.secured], clientId: 'test', tls: { ca: certificate } },
      ...{ sasl: { mechanism: 'plain', ...ACCOUNT }, ...change },
    }),
    async [Symbol.asyncDispose]() {
      await kafka.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** A key, and a certificate for 127.0.0.1 that is its own CA. */
async function selfSigned(directory: string): Promise<{ key: string; certificate: string }> {
  const files = { key: join(directory, 'key.pem'), certificate: join(directory, 'certificate.pem') };
  const name = ['-subj', '/CN=kafka', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...name];
  await promisify(execFile)('openssl', ['req', ...kind, '-keyout', files.key, '-out', files.certificate]);
  return { key: await readFile(files.key, 'utf8'), certificate: await readFile(files.certificate, 'utf8') };
}
