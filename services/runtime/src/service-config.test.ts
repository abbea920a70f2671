import { expect, test } from '@jest/globals';
import { readEnv } from './env.ts';
import { readProcessConfig } from './service-config.ts';

const busOf = (variables: Record<string, string>) =>
  readProcessConfig(readEnv({ MONGODB_URI: 'mongodb://db', ...variables }), 'knowledge').bus;

test('the bus is on Kafka where its brokers are named, else in MongoDB', () => {
  expect(busOf({})).toEqual({ mongodb: { uri: 'mongodb://db', database: 'parley_bus' } });
  expect(busOf({ KAFKA_BROKERS: 'kafka-0:9092, kafka-1:9092' })).toEqual({
    kafka: { brokers: ['kafka-0:9092', 'kafka-1:9092'], clientId: 'knowledge' },
  });
});

test('an address of Kafka that is none is refused with what it should be', () => {
  for (const wrong of ['kafka', 'kafka:9092,', 'http://kafka:9092']) {
    expect(() => busOf({ KAFKA_BROKERS: wrong })).toThrow('KAFKA_BROKERS must be host:port');
  }
});
