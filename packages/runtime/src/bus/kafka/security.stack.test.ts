import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { startKafka } from '../../../../../deploy/stack/kafka.ts';
import { createLog } from '../../log.ts';
import { busContract } from '../testing/contract.ts';
import { type KafkaConfig, openKafka } from './client.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'parley-kafka-'));
const { key, certificate } = await selfSigned('subjectAltName=IP:127.0.0.1');
const account = { username: 'parley', password: 'a-password' };
const kafka = await startKafka({ dataDir, secured: { key, certificate, ...account } });
afterAll(async () => {
  await kafka.stop();
  await rm(dataDir, { recursive: true });
});

/** A key, and a certificate that is its own CA. */
async function selfSigned(name: string): Promise<{ key: string; certificate: string }> {
  const files = { key: join(dataDir, 'key.pem'), certificate: join(dataDir, 'certificate.pem') };
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=kafka', '-addext', name];
  await promisify(execFile)('openssl', ['req', ...kind, '-keyout', files.key, '-out', files.certificate]);
  return { key: await readFile(files.key, 'utf8'), certificate: await readFile(files.certificate, 'utf8') };
}

const securely = (change: Partial<KafkaConfig> = {}): KafkaConfig => ({
  brokers: [kafka.secured],
  clientId: 'test',
  tls: { ca: certificate },
  sasl: { mechanism: 'scram-sha-512', ...account },
  ...change,
});
const asked = (change?: Partial<KafkaConfig>) =>
  openKafka(securely(change), createLog('test', 'silent')).ask((admin) => admin.listTopics(), 10_000);

busContract('the bus on Kafka, over TLS and signed in', async () => ({
  opener: {
    module: new URL('../testing/open-kafka.ts', import.meta.url).href,
    argument: JSON.stringify(securely()),
  },
  close: async () => {},
}));

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('a broker accepts %s', async (mechanism) => {
  await expect(asked({ sasl: { mechanism, ...account } })).resolves.toEqual(expect.any(Array));
});

test('a wrong password is named as such', async () => {
  const sasl = { mechanism: 'scram-sha-256', username: 'parley', password: 'another' } as const;
  await expect(asked({ sasl })).rejects.toThrow('refuses KAFKA_USERNAME and KAFKA_PASSWORD, or KAFKA_SASL.');
});

test('a certificate of an unknown CA is named as such', async () => {
  await expect(asked({ tls: true })).rejects.toThrow(
    'a certificate of a CA that is not trusted (NODE_EXTRA_CA_CERTS).',
  );
});

test('a certificate of another name is named as such', async () => {
  const brokers = [kafka.secured.replace('127.0.0.1', 'localhost')];
  await expect(asked({ brokers })).rejects.toThrow('a certificate of another name than KAFKA_BROKERS says.');
});
