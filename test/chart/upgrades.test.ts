import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { exampleFile, type KubernetesObject, objectOf, plainVariablesOf, render, secretOf, values } from './chart.ts';
import { kubernetesWith, type LiveObject, type Secrets } from './kubernetes.fixture.ts';

/** Renders like an upgrade in a namespace that has these objects. */
async function upgrade(live: LiveObject[], options: string[] = [], secrets: Secrets = {}): Promise<KubernetesObject[]> {
  await using kubernetes = await kubernetesWith(secrets, live);
  return await render([...kubernetes.options, ...options]);
}

/** A StatefulSet as Kubernetes returns it. */
const storeOf = (name: string, storage: string, storageClassName?: string): LiveObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: `parley-${name}` },
  spec: {
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { storageClassName, resources: { requests: { storage } } } },
    ],
  },
});

const size = (wanted: string) => values({ 'kafka.internal.persistence.size': wanted });

test('a larger volume is refused with the commands that enlarge it', async () => {
  const refused = upgrade([storeOf('kafka', '10Gi')], size('20Gi'));
  await expect(refused).rejects.toThrow(
    'The volume of kafka has 10Gi, and Kubernetes does not let an upgrade change that. If its storage class can expand volumes, give it 20Gi by these two commands',
  );
  await expect(refused).rejects.toThrow(
    `kubectl patch pvc data-parley-kafka-0 --namespace default --patch '{"spec":{"resources":{"requests":{"storage":"20Gi"}}}}'`,
  );
  await expect(refused).rejects.toThrow('kubectl delete statefulset parley-kafka --namespace default --cascade=orphan');
});

test('a smaller volume, or another storage class, is refused with a message that says what to set', async () => {
  await expect(upgrade([storeOf('kafka', '10Gi')], size('9Gi'))).rejects.toThrow(
    "a volume can't shrink: set kafka.internal.persistence.size=10Gi.",
  );
  const fast = values({ 'objects.internal.persistence.storageClass': 'fast' });
  await expect(upgrade([storeOf('objects', '20Gi', 'slow')], fast)).rejects.toThrow(
    "can't change its class: set objects.internal.persistence.storageClass=slow.",
  );
  await upgrade([storeOf('objects', '20Gi', 'fast')], fast);
});

test.each([
  ['10Gi', '10Gi'],
  ['10240Mi', '10Gi'],
  ['0.5Gi', '512Mi'],
  ['1.5Ti', '1536Gi'],
  ['1000M', '1G'],
  ['5368709120', '5Gi'],
])('the same size in other words is no change: %s for %s', async (wanted, live) => {
  await upgrade([storeOf('kafka', live)], size(wanted));
});

const external = (given: Record<string, unknown> = {}) => [
  ...values({ 'kafka.internal.enabled': false, 'kafka.external.brokers': 'kafka:9092' }),
  ...values(given),
];

const trainerWith = (env: Record<string, string>): LiveObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'parley-trainer' },
  spec: {
    template: {
      spec: { containers: [{ name: 'trainer', env: Object.entries(env).map(([name, value]) => ({ name, value })) }] },
    },
  },
});

test.each([
  ['a new release on a Kafka of yours has a prefix of its own', [], external(), 'default.parley.'],
  ['one on the internal Kafka has none', [], [], undefined],
  [
    'a release that has used its Kafka without one goes on without',
    [trainerWith({ KAFKA_BROKERS: 'kafka:9092' })],
    external(),
    undefined,
  ],
  [
    'a release that has one keeps it',
    [trainerWith({ KAFKA_BROKERS: 'kafka:9092', BUS_PREFIX: 'default.parley.' })],
    external(),
    'default.parley.',
  ],
  [
    'a release that leaves the internal Kafka gets one',
    [trainerWith({ KAFKA_BROKERS: 'parley-kafka:9092' })],
    external(),
    'default.parley.',
  ],
  ['the one of the values', [], external({ 'kafka.external.prefix': 'acme.' }), 'acme.'],
  ['none, where the values say none', [], external({ 'kafka.external.prefix': '' }), undefined],
])('topics and groups: %s', async (_, live, options, prefix) => {
  const objects = await upgrade(live, options);
  for (const name of ['knowledge', 'assistants', 'conversations', 'trainer'])
    expect(plainVariablesOf(objectOf(objects, 'Deployment', `parley-${name}`))['BUS_PREFIX']).toBe(prefix);
});

test('missing CA certificates are refused with a message that says how to create them', async () => {
  const given = values({ 'caCertificates.configMap': 'cas' });
  await expect(upgrade([], given)).rejects.toThrow(
    'The ConfigMap cas, which caCertificates.configMap names, does not exist in the namespace default. Make it first: kubectl create configmap cas --namespace default --from-file=ca.crt=...',
  );
  const cas = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cas' }, data: { 'ca.crt': 'PEM' } } as const;
  await upgrade([cas], given);
});

test('values of an older chart, as with --reuse-values, work without newer ones', async () => {
  const withoutSecrets = (objects: KubernetesObject[]) => objects.filter(({ kind }) => kind !== 'Secret');
  const newer = ['nameOverride', 'podAnnotations', 'runAs', 'caCertificates', 'kafka.external.prefix'];
  const older = values(Object.fromEntries(newer.map((path) => [path, null])));
  for (const options of [[], external()])
    expect(withoutSecrets(await render([...options, ...older]))).toEqual(withoutSecrets(await render(options)));
});

const SECRET_KEY = 'Tr0ub4dor&3';
const given = values({ 'objects.internal.secretKey': SECRET_KEY });

const podOfObjects = (objects: KubernetesObject[]) => objectOf(objects, 'StatefulSet', 'parley-objects').spec!.template;

test('the file store restarts when its secret key changes, and not by an upgrade that changes nothing', async () => {
  const installed = await upgrade([], given);
  const parleySecret = secretOf(installed, 'parley', 'parley-secret')!;
  const kept = { parley: { 'parley-secret': parleySecret }, 'parley-objects': { 'secret-key': SECRET_KEY } };
  expect(podOfObjects(await upgrade([], given, kept))).toEqual(podOfObjects(installed));
  const changed = values({ 'objects.internal.secretKey': 'another one' });
  expect(podOfObjects(await upgrade([], changed, kept))).not.toEqual(podOfObjects(installed));
});

test('the hash in pods does not help to guess a secret', async () => {
  const objects = await upgrade([], given);
  const parleySecret = secretOf(objects, 'parley', 'parley-secret')!;
  const pods = JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'));
  for (const algorithm of ['sha256', 'sha1', 'md5'])
    for (const text of [SECRET_KEY, parleySecret])
      for (const digest of ['hex', 'base64'] as const)
        expect(pods).not.toContain(createHash(algorithm).update(text).digest(digest));
  // It differs in another installation, which has its own secret.
  const other = await upgrade([], given);
  expect(podOfObjects(other)!.metadata).not.toEqual(podOfObjects(objects)!.metadata);
});

test('with an existing Secret, the hash is keyed with it', async () => {
  const options = [...given, ...exampleFile('minimal.yaml'), ...values({ 'secret.existingSecret': 'mine' })];
  const withSecret = (secret: string) => upgrade([], options, { mine: { 'parley-secret': secret } });
  const [one, same, other] = [
    await withSecret('a'.repeat(32)),
    await withSecret('a'.repeat(32)),
    await withSecret('b'.repeat(32)),
  ];
  expect(podOfObjects(one)).toEqual(podOfObjects(same));
  expect(podOfObjects(one)).not.toEqual(podOfObjects(other));
});
