import { afterAll, expect, test } from '@jest/globals';
import { type KafkaConnection, startSecuredKafka } from '../../../../../deploy/stack/secured-kafka.ts';
import { createLog } from '../../log.ts';
import { openKafka } from './client.ts';

const secured = await startSecuredKafka();
afterAll(async () => secured[Symbol.asyncDispose]());
const { sasl, brokers } = secured.connection();

const asked = (change?: Partial<KafkaConnection>) =>
  openKafka(secured.connection(change), createLog('test', 'silent')).ask((admin) => admin.listTopics(), 10_000);

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('a client signs in with %s', async (mechanism) => {
  await expect(asked({ sasl: { ...sasl!, mechanism } })).resolves.toEqual(expect.any(Array));
});

test('a wrong password is named as such', async () => {
  const wrong = { ...sasl!, mechanism: 'scram-sha-256', password: 'another' } as const;
  await expect(asked({ sasl: wrong })).rejects.toThrow('refuses KAFKA_USERNAME and KAFKA_PASSWORD, or KAFKA_SASL.');
});

test('a certificate of an unknown CA is named as such', async () => {
  await expect(asked({ tls: true })).rejects.toThrow(
    'a certificate of a CA that is not trusted (NODE_EXTRA_CA_CERTS).',
  );
});

test('a certificate of another name is named as such', async () => {
  const localhost = brokers.map((broker) => broker.replace('127.0.0.1', 'localhost'));
  await expect(asked({ brokers: localhost })).rejects.toThrow('a certificate of another name than KAFKA_BROKERS says.');
});
