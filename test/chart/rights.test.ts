import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { MongoClient } from 'mongodb';
import { folderOf, PROCESS_NAMES, type ProcessName } from '../../deploy/processes.ts';
import {
  CHART,
  type Container,
  type KubernetesObject,
  objectOf,
  plainVariablesOf,
  podsOf,
  render,
  secretOf,
  type Variable,
  values,
} from './chart.ts';

interface User {
  pwd: string;
  roles: { role: string; db: string }[];
}

const program = await readFile(`${CHART}/files/mongodb-users.js`, 'utf8');

/** The variables of a container, with those from Secrets of the release. */
function variablesOf(objects: KubernetesObject[], kind: string, of: string, container: string): Record<string, string> {
  const { containers } = objectOf(objects, kind, of).spec!.template!.spec;
  const { env = [] } = containers.find(({ name }) => name === container)!;
  const read = ({ value, valueFrom }: Variable) => {
    const from = valueFrom?.secretKeyRef;
    return value ?? secretOf(objects, from!.name, from!.key) ?? (from!.optional ? '' : 'a-value-of-yours');
  };
  return Object.fromEntries(env.map((variable) => [variable.name, read(variable)]));
}

/** Runs the program of the pod on a server that has these users, as MongoDB's shell does. */
function createUsers(objects: KubernetesObject[], users: Map<string, User>): { signedInAs: string } {
  const env = variablesOf(objects, 'StatefulSet', 'parley-mongodb', 'users');
  let signedInAs = '';
  function runCommand({ usersInfo, createUser, updateUser, pwd, roles }: Record<string, unknown>) {
    if (usersInfo) return { ok: 1, users: users.has(usersInfo as string) ? [usersInfo] : [] };
    const name = (createUser ?? updateUser) as string;
    if (users.has(name) !== (createUser === undefined)) return { ok: 0, errmsg: 'Location51003' };
    // What comes of another realm is an array to that realm only.
    users.set(name, { pwd: pwd as string, roles: JSON.parse(JSON.stringify(roles)) });
    return { ok: 1 };
  }
  class Mongo {
    constructor(uri: string) {
      signedInAs = new MongoClient(uri).options.credentials!.username;
    }
    getDB = () => ({ runCommand });
  }
  runInNewContext(program, { process: { env }, Mongo, print: () => {} });
  return { signedInAs };
}

/** The Secret that a variable of a service comes from; undefined if it has another source, or there is none. */
function sourceOf(objects: KubernetesObject[], name: string, variable: string) {
  const { env } = objectOf(objects, 'Deployment', `parley-${name}`).spec!.template!.spec.containers[0]!;
  return env!.find((each) => each.name === variable)?.valueFrom?.secretKeyRef;
}

/** The databases that a service opens with the variables that its pod gets, by its own configuration. */
async function opened(objects: KubernetesObject[], name: ProcessName): Promise<string[]> {
  const { readConfig } = await import(`../../${folderOf(name)}/src/config.ts`);
  const { mongodb, bus } = readConfig(readEnv(variablesOf(objects, 'Deployment', `parley-${name}`, name)));
  return [mongodb, bus?.mongodb].flatMap((each) => (each ? [each.database] : [])).sort();
}

const USERS = PROCESS_NAMES.filter((name) => name !== 'mail');
/** The gateway has a bus only where others read it, too. */
const KAFKA = values({ 'mongodb.databasePrefix': 'acme' });
const NO_KAFKA = values({ 'kafka.enabled': false });

test.each([
  ['with Kafka', KAFKA],
  ['without Kafka', NO_KAFKA],
])(
  '%s: each service signs in to MongoDB as a user who may use the databases that it opens, and no other',
  async (_, given) => {
    const objects = await render(given);
    const users = new Map<string, User>();
    expect(createUsers(objects, users).signedInAs).toBe('parley');
    expect([...users.keys()].sort()).toEqual([...USERS].sort());
    for (const name of USERS) {
      const { pwd, roles } = users.get(name)!;
      const uri = variablesOf(objects, 'Deployment', `parley-${name}`, name)['MONGODB_URI']!;
      expect(new MongoClient(uri).options.credentials).toMatchObject({
        username: name,
        password: pwd,
        source: 'admin',
      });
      const databases = await opened(objects, name);
      expect({ name, roles }).toEqual({
        name,
        roles: expect.arrayContaining(databases.map((db) => ({ role: 'readWrite', db }))),
      });
      expect(roles).toHaveLength(databases.length);
    }
  },
);

test('the trainer, which reads hostile pages, may read no key and no conversation', async () => {
  const objects = await render();
  const users = new Map<string, User>();
  createUsers(objects, users);
  expect(users.get('trainer')!.roles).toEqual([{ role: 'readWrite', db: 'parley_corpus' }]);
  const names = ['gateway', 'auth', 'assistants', 'conversations', 'events'] as const;
  for (const name of names) expect(await opened(objects, name)).not.toContain('parley_corpus');
  const trainer = objectOf(objects, 'Deployment', 'parley-trainer').spec!.template!.spec.containers[0]!;
  const keys = trainer.env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []);
  expect(keys.filter((key) => /uri|password|parley-secret/.test(key))).toEqual(['trainer-uri']);
});

test('a restart of MongoDB changes the users of an earlier release to those of this one', async () => {
  const users = new Map<string, User>([
    ['trainer', { pwd: 'old', roles: [{ role: 'readWrite', db: 'parley_conversations' }] }],
  ]);
  const objects = await render();
  createUsers(objects, users);
  const once = structuredClone([...users]);
  createUsers(objects, users);
  expect([...users]).toEqual(once);
  expect(users.get('trainer')).toMatchObject({ roles: [{ db: 'parley_corpus' }] });
});

test('services sign in to a MongoDB elsewhere with the addresses that the values give each of them', async () => {
  const objects = await render(
    values({
      'mongodb.internal.enabled': false,
      'mongodb.external': { existingSecret: 'all', services: { trainer: { existingSecret: 'one', key: 'address' } } },
    }),
  );
  const sources = ['trainer', 'auth'].map((name) => sourceOf(objects, name, 'MONGODB_URI'));
  expect(sources).toEqual([
    { name: 'one', key: 'address' },
    { name: 'all', key: 'uri' },
  ]);
});

test('services show a certificate of yours to a MongoDB elsewhere', async () => {
  const tls = { 'mongodb.external': { existingSecret: 'all', tls: { existingSecret: 'certificate' } } };
  const objects = await render(values({ 'mongodb.internal.enabled': false, ...tls }));
  for (const name of USERS) {
    const deployment = objectOf(objects, 'Deployment', `parley-${name}`);
    const { volumes, containers } = deployment.spec!.template!.spec;
    expect(volumes).toContainEqual({ name: 'mongodb', secret: { secretName: 'certificate' } });
    const { mountPath } = containers[0]!.volumeMounts!.find((mount) => mount.name === 'mongodb')!;
    expect(plainVariablesOf(deployment)).toMatchObject({
      MONGODB_TLS_CERT: `${mountPath}/tls.crt`,
      MONGODB_TLS_KEY: `${mountPath}/tls.key`,
    });
  }
});

const STORED = ['conversations', 'gateway', 'knowledge', 'mail', 'trainer'] as const;
const MAIL = { 'mail.domain': 'mail.example.com', 'mail.smtp.existingSecret': 'smtp' };

test('each service signs in to the file store as a user of its own, whom the store knows and the policies name', async () => {
  const objects = await render(values(MAIL));
  const [users] = objectOf(objects, 'StatefulSet', 'parley-objects').spec!.template!.spec.initContainers!;
  const written = await usersWrittenBy(objects, users!);
  const policies = await readFile(
    new URL('../../packages/runtime/src/objects/s3-policies.json', import.meta.url),
    'utf8',
  );
  expect(Object.keys(JSON.parse(policies)).sort()).toEqual([...STORED]);
  expect(Object.keys(written).sort()).toEqual([...STORED]);
  for (const name of STORED) {
    const { readConfig } = await import(`../../${folderOf(name)}/src/config.ts`);
    const variables = variablesOf(objects, 'Deployment', `parley-${name}`, name);
    const { s3 } = readConfig(readEnv({ ...variables, SMTP_URL: 'smtp://a:25' })).objects;
    expect(written[name]).toEqual({ access: s3.keys.accessKey, secret: s3.keys.secretKey, role: 'user' });
    expect({ name, awaits: s3.awaitRights }).toEqual({ name, awaits: true });
  }
  expect(new Set(Object.values(written).map(({ secret }) => secret)).size).toBe(STORED.length);
});

test('only the store, backups and what grants the rights have the keys of its root user', async () => {
  const backup = { 'backup.enabled': true, 'backup.passphrase.existingSecret': 'passphrase' };
  const objects = await render(values({ ...MAIL, ...backup }));
  const root = podsOf(objects).flatMap(({ pod }) =>
    [...pod.containers, ...(pod.initContainers ?? [])]
      .filter(({ env = [] }) =>
        env.some(
          ({ valueFrom }) =>
            valueFrom?.secretKeyRef?.name === 'parley-objects' && valueFrom.secretKeyRef.key === 'secret-key',
        ),
      )
      .map(({ name }) => name),
  );
  expect(root.sort()).toEqual(['objects', 'rights']);
  const knowledge = objectOf(objects, 'Deployment', 'parley-knowledge').spec!.template!.spec;
  expect(knowledge.initContainers!.map(({ name, command }) => ({ name, command }))).toEqual([
    { name: 'rights', command: ['node', 'packages/runtime/src/grant-rights.ts'] },
  ]);
});

test('a key that would break the file of users is refused', async () => {
  const objects = await render();
  const [users] = objectOf(objects, 'StatefulSet', 'parley-objects').spec!.template!.spec.initContainers!;
  for (const key of ['a"b', 'a\\b', 'a\n'])
    await expect(usersWrittenBy(objects, users!, { TRAINER_SECRET_KEY: key })).rejects.toThrow('choose another');
});

/** Runs the program of the container, and returns the users that it writes. */
async function usersWrittenBy(objects: KubernetesObject[], { env = [], command }: Container, given = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-users-'));
  const variables: Record<string, string> = {};
  for (const { name, valueFrom } of env)
    variables[name] = secretOf(objects, valueFrom!.secretKeyRef!.name, valueFrom!.secretKeyRef!.key)!;
  const program = command!.map((part) => part.replaceAll('/iam/', `${directory}/`));
  try {
    await promisify(execFile)(program[0]!, program.slice(1), {
      env: { ...variables, ...given, PATH: process.env['PATH']! },
    });
    const { accessAccounts } = JSON.parse(await readFile(join(directory, 'users.json'), 'utf8'));
    return accessAccounts as Record<string, { access: string; secret: string; role: string }>;
  } finally {
    await rm(directory, { recursive: true });
  }
}

const S3 = { 'objects.internal.enabled': false, 'objects.external.endpoint': 'https://s3.example.com' };

test('services sign in to S3 with keys of their own, where the values name them', async () => {
  const services = { trainer: { existingSecret: 'trainer-s3' } };
  const given = { ...S3, 'objects.external.existingSecret': 'all', 'objects.external.services': services };
  const objects = await render(values(given));
  const sources = ['trainer', 'knowledge'].map((name) => sourceOf(objects, name, 'MINIO_ACCESS_KEY'));
  expect(sources).toEqual([
    { name: 'trainer-s3', key: 'access-key' },
    { name: 'all', key: 'access-key' },
  ]);
});

test('with roles on AWS, no pod has a key, and a service has the role of its own service account', async () => {
  const role = { ...S3, 'objects.external.credentials': 'role', 'services.trainer.serviceAccountName': 'trainer' };
  const objects = await render(values(role));
  for (const name of ['gateway', 'knowledge', 'trainer', 'conversations'] as const) {
    expect(sourceOf(objects, name, 'MINIO_ACCESS_KEY')).toBeUndefined();
    const { readConfig } = await import(`../../${folderOf(name)}/src/config.ts`);
    const { s3 } = readConfig(readEnv(variablesOf(objects, 'Deployment', `parley-${name}`, name))).objects ?? {};
    expect({ name, endpoint: s3?.endpoint, keys: s3?.keys }).toEqual({ name, endpoint: 'https://s3.example.com' });
  }
  const accounts = podsOf(objects).map(({ name, pod }) => [name, pod.serviceAccountName]);
  expect(Object.fromEntries(accounts)).toMatchObject({ 'parley-trainer': 'trainer', 'parley-auth': 'parley' });
});
