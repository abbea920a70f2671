import { expect, test } from '@jest/globals';
import { readEnv } from './env.ts';
import { readBusConfig, readObjectsConfig, readProcessConfig } from './service-config.ts';

const MINIO = { MINIO_ENDPOINT: 'http://minio:9000', MINIO_ACCESS_KEY: 'access', MINIO_SECRET_KEY: 'not-to-be-shown' };
const reading = (variables: Record<string, string>) => () => readObjectsConfig(readEnv(variables));

test('objects are on the server in MINIO_ENDPOINT, else in OBJECTS_DIR', () => {
  expect(reading({ OBJECTS_DIR: '/data' })()).toEqual({ dir: '/data' });
  expect(reading({ ...MINIO, OBJECTS_DIR: '/data' })()).toEqual({
    s3: {
      endpoint: 'http://minio:9000',
      keys: { accessKey: 'access', secretKey: 'not-to-be-shown' },
      bucket: 'parley',
      region: 'us-east-1',
    },
  });
  expect(reading({ ...MINIO, MINIO_BUCKET: 'files', MINIO_REGION: 'eu-west-1' })()).toMatchObject({
    s3: { bucket: 'files', region: 'eu-west-1' },
  });
});

test('errors name a missing or wrong setting, but show no value', () => {
  expect(reading({})).toThrow('OBJECTS_DIR is not set');
  expect(reading({ ...MINIO, MINIO_ACCESS_KEY: '' })).toThrow('MINIO_ACCESS_KEY is not set');
  expect(reading({ ...MINIO, MINIO_SECRET_KEY: 'short' })).toThrow(
    /^MINIO_SECRET_KEY must have at least 8 characters\.$/,
  );
  expect(reading({ ...MINIO, MINIO_BUCKET: 'Not_A_Bucket' })).toThrow('MINIO_BUCKET must have');
  for (const endpoint of [
    'minio:9000',
    'ftp://minio',
    'http://user:pass@minio',
    'http://minio/path',
    'http://[::1]:9000',
  ])
    expect(reading({ ...MINIO, MINIO_ENDPOINT: endpoint })).toThrow(
      /^MINIO_ENDPOINT must be http:\/\/host:port or https:\/\/host:port\.$/,
    );
});

test('the bus is on Kafka if KAFKA_BROKERS is set, else in MongoDB, under names that begin with BUS_PREFIX', () => {
  const bus = (variables: Record<string, string>) => readBusConfig(readEnv(variables), 'test');
  expect(bus({ MONGODB_URI: 'mongodb://m' })).toEqual({ mongodb: { uri: 'mongodb://m', database: 'parley_bus' } });
  expect(bus({ KAFKA_BROKERS: 'k:9092', BUS_PREFIX: 'release-1.' })).toEqual({
    kafka: { brokers: ['k:9092'], clientId: 'test' },
    prefix: 'release-1.',
  });
  for (const prefix of ['Upper', '-x', 'a/b', 'a b', 'a'.repeat(101)])
    expect(() => bus({ MONGODB_URI: 'mongodb://m', BUS_PREFIX: prefix })).toThrow('BUS_PREFIX must have');
});

test('an address of MongoDB that would lose acknowledged writes is refused at start', () => {
  const reading = (uri: string) => () => readProcessConfig(readEnv({ MONGODB_URI: uri }), 'auth');
  for (const uri of [
    'mongodb://db:27017',
    'mongodb://user:p%2Fw@db1,db2/?replicaSet=rs&w=majority&journal=true',
    'mongodb://%2Ftmp%2Fengine.sock/?directConnection=true&w=1&journal=true',
    'mongodb://mongodb:27017/?w=1&journal=true',
  ])
    expect(reading(uri)().mongodb).toEqual({ uri, database: 'parley_auth' });
  for (const options of ['w=1', 'w=0', 'W=0&journal=true', 'replicaSet=rs&w=2'])
    expect(reading(`mongodb://user:secret@db1,db2/?${options}`)).toThrow(
      /^MONGODB_URI asks for w=\d: writes could be lost\./,
    );
  for (const options of [
    'journal=false',
    'j=false',
    'fsync=false',
    'w=majority&FSYNC=false',
    'w=1&journal=true&fsync=false',
  ])
    expect(reading(`mongodb://db/?${options}`)).toThrow(/^MONGODB_URI turns the journal off/);
  expect(reading('mongodb://%2Ftmp%2Fengine.sock/?w=1')).toThrow(/w=1/);
});
