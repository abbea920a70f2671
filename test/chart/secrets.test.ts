import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { KEY_SHAPE } from '../../services/auth/src/domain/api-key.ts';
import { type KubernetesObject, podsOf, render, secretOf, values } from './chart.ts';

const plain = await render();

const PASSWORDS = ['simple', 'p@ss:w/rd?#[]', '100% + 1 = 101', 'ключ ☃', `"'\\$(VAR){{}}`, '&authSource=other&w=0'];

test.each(PASSWORDS)('the driver parses the password %p from the address of MongoDB', async (password) => {
  const uri = addressOf(await render(values({ 'mongodb.internal.auth.password': password })));
  const { credentials, hosts, writeConcern, tls } = new MongoClient(uri).options;
  expect(credentials).toMatchObject({ username: 'parley', password, source: 'admin' });
  expect(hosts.map(String)).toEqual(['parley-mongodb:27017']);
  expect(writeConcern).toMatchObject({ w: 1, journal: true });
  expect(tls).toBeFalsy();
});

test('MongoDB creates the user that the services use', () => {
  const [mongodb] = plain.filter((o) => o.kind === 'StatefulSet' && o.metadata.name === 'parley-mongodb');
  const env = mongodb!.spec!.template!.spec.containers[0]!.env!;
  expect(env.find(({ name }) => name === 'MONGO_INITDB_ROOT_USERNAME')).toMatchObject({ value: 'parley' });
  const { name, key } = env.find((e) => e.name === 'MONGO_INITDB_ROOT_PASSWORD')!.valueFrom!.secretKeyRef!;
  expect(new MongoClient(addressOf(plain)).options.credentials!.password).toBe(secretOf(plain, name, key));
});

test('generated secrets are random, long enough, and outlive the release', async () => {
  const again = await render();
  for (const { kind, metadata, data } of plain.filter((object) => object.kind === 'Secret')) {
    expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
    for (const key of Object.keys(data!).filter((key) => key !== 'access-key')) {
      const value = secretOf(plain, metadata.name, key)!;
      expect(value.length).toBeGreaterThanOrEqual(32);
      expect({ kind, key, value }).not.toEqual({ kind, key, value: secretOf(again, metadata.name, key) });
    }
  }
  expect(secretOf(plain, 'parley', 'first-account-key')).toMatch(KEY_SHAPE);
});

test('with Secrets of one’s own for everything, every rendering is the same, and holds none', async () => {
  const given = values({
    'secret.existingSecret': 'parley',
    'mongodb.internal.auth.existingSecret': 'mongodb',
    'objects.internal.existingSecret': 'objects',
  });
  const objects = await render(given);
  expect(objects).toEqual(await render(given));
  expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  const references = podsOf(objects)
    .flatMap(({ pod }) => pod.containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef)))
    .map((reference) => reference && `${reference.name} ${reference.key}`);
  expect(references).toEqual(expect.arrayContaining(['mongodb trainer-uri', 'mongodb password', 'objects secret-key']));
});

test('secrets appear only in Secrets', () => {
  const values = plain
    .filter(({ kind }) => kind === 'Secret')
    .flatMap(({ metadata, data }) => Object.keys(data!).map((key) => secretOf(plain, metadata.name, key)!))
    .filter((value) => value !== 'parley');
  const rest = JSON.stringify(plain.filter(({ kind }) => kind !== 'Secret'));
  for (const value of values) expect(rest).not.toContain(value);
});

const addressOf = (objects: KubernetesObject[]): string => secretOf(objects, 'parley-mongodb', 'uri')!;
