import { expect, test } from '@jest/globals';
import { type KubernetesObject, objectOf, plainVariablesOf, podsOf, render, values } from './chart.ts';
import { brokenRules } from './restricted.ts';

const plain = await render();
const deployments = (objects: KubernetesObject[]) => objects.filter(({ kind }) => kind === 'Deployment');
const annotationsOf = (objects: KubernetesObject[], name: string) =>
  objectOf(objects, 'Deployment', `parley-${name}`).spec!.template!.metadata.annotations!;

test('annotations in the values override the chart’s, and those of a service override those of all', async () => {
  // Rendering refuses a duplicate key.
  const objects = await render(
    values({
      podAnnotations: { 'prometheus.io/scrape': 'false', pushed: 'today' },
      'services.auth.podAnnotations': { 'prometheus.io/scrape': '', pushed: 'yesterday' },
      'mongodb.internal.podAnnotations': { 'kubectl.kubernetes.io/default-container': 'other' },
    }),
  );
  expect(annotationsOf(plain, 'gateway')).toMatchObject({ 'prometheus.io/scrape': 'true' });
  expect(annotationsOf(objects, 'gateway')).toMatchObject({ 'prometheus.io/scrape': 'false', pushed: 'today' });
  expect(annotationsOf(objects, 'auth')).toMatchObject({ 'prometheus.io/scrape': '', pushed: 'yesterday' });
  const mongodb = objectOf(objects, 'StatefulSet', 'parley-mongodb').spec!.template!.metadata.annotations;
  expect(mongodb).toMatchObject({ 'kubectl.kubernetes.io/default-container': 'other' });
});

test('changing podAnnotations replaces each pod of Parley, so that a re-pushed tag is pulled', async () => {
  const objects = await render(values({ podAnnotations: { pushed: 'today' } }));
  for (const { metadata, spec } of deployments(objects))
    expect(spec!.template).not.toEqual(objectOf(plain, 'Deployment', metadata.name).spec!.template);
});

test('a Deployment with null replicas leaves the number to an autoscaler', async () => {
  const objects = await render(values({ 'services.gateway.replicas': null, 'services.auth.replicas': 0 }));
  expect(objectOf(objects, 'Deployment', 'parley-gateway').spec).not.toHaveProperty('replicas');
  expect(objectOf(objects, 'Deployment', 'parley-auth').spec!.replicas).toBe(0);
  expect(objectOf(objects, 'Deployment', 'parley-knowledge').spec!.replicas).toBe(1);
});

const IDS = ['runAsUser', 'runAsGroup', 'fsGroup'];
const OPEN_SHIFT = ['--api-versions', 'security.openshift.io/v1'];

test.each([
  ['1000 by default', [], 1000],
  ['the one of the values', values({ runAs: 4321 }), 4321],
  ['that one on OpenShift, too', [...values({ runAs: 4321 }), ...OPEN_SHIFT], 4321],
  ['whichever the cluster assigns, where the values say so', values({ runAs: 'assigned' }), undefined],
  ['whichever the cluster assigns, on OpenShift', OPEN_SHIFT, undefined],
])('the user of all pods is %s', async (_, options, user) => {
  for (const { pod } of podsOf(await render(options))) {
    const { securityContext } = pod;
    expect(IDS.map((id) => securityContext![id])).toEqual(IDS.map(() => user));
    expect(Object.keys(securityContext!).filter((key) => IDS.includes(key))).toHaveLength(user ? IDS.length : 0);
    expect(brokenRules(pod)).toEqual([]);
  }
});

test.each([
  ['configMap', { configMap: { name: 'mine', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }],
  ['secret', { secret: { secretName: 'mine', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }],
])('each service trusts the CA certificates of a %s: what Node reads is mounted', async (source, volume) => {
  const objects = await render(values({ [`caCertificates.${source}`]: 'mine' }));
  for (const deployment of deployments(objects)) {
    const { volumes, containers } = deployment.spec!.template!.spec;
    const [name, ...rest] = volumes!.filter((each) => Object.keys(volume).every((key) => key in each));
    expect({ ...name, rest }).toEqual({ name: 'ca', ...volume, rest: [] });
    const mount = containers[0]!.volumeMounts!.find((each) => each.name === 'ca')!;
    expect(mount.readOnly).toBe(true);
    expect(plainVariablesOf(deployment)['NODE_EXTRA_CA_CERTS']).toBe(`${mount.mountPath}/ca.crt`);
  }
  for (const deployment of deployments(plain))
    expect(plainVariablesOf(deployment)).not.toHaveProperty('NODE_EXTRA_CA_CERTS');
});

test('an Ingress waits for the longest reply, unless the values set another timeout', async () => {
  const annotation = 'nginx.ingress.kubernetes.io/proxy-read-timeout';
  const ingress = async (given: Record<string, unknown>) =>
    objectOf(
      await render(
        values({ 'ingress.enabled': true, 'ingress.trustedProxies': 'none', replyTimeoutSeconds: 100, ...given }),
      ),
      'Ingress',
      'parley',
    );
  const { annotations } = (await ingress({})).metadata;
  const waits = Object.values(annotations!).map((value) => Number.parseInt(value, 10));
  expect(waits).toHaveLength(4);
  for (const seconds of waits) expect(seconds).toBeGreaterThan(100);
  const own = { 'ingress.annotations': { [annotation]: '7', mine: 'yes' } };
  expect((await ingress(own)).metadata.annotations).toMatchObject({ ...annotations, [annotation]: '7', mine: 'yes' });
});

test('the gateway trusts the networks that the values name for the Ingress, and only with an Ingress', async () => {
  const trusted = async (given: Record<string, unknown>) =>
    plainVariablesOf(objectOf(await render(values(given)), 'Deployment', 'parley-gateway'))['TRUSTED_PROXIES'];
  const networks = { 'ingress.trustedProxies': '10.42.0.0/16' };
  expect(await trusted({ 'ingress.enabled': true, ...networks })).toBe('10.42.0.0/16');
  expect(await trusted(networks)).toBeUndefined();
  expect(await trusted({ 'ingress.enabled': true, 'ingress.trustedProxies': 'none' })).toBeUndefined();
  const env = { services: { gateway: { env: { TRUSTED_PROXIES: '192.0.2.1' } } } };
  expect(await trusted({ 'ingress.enabled': true, ...env })).toBe('192.0.2.1');
  expect(await trusted({ 'ingress.enabled': true, ...networks, ...env })).toBe('192.0.2.1');
});

const DIGEST = `sha256:${'0'.repeat(64)}`;

test('an image is named by its digest where the values have one, instead of its tag', async () => {
  const stores = {
    'kafka.internal.digest': DIGEST,
    'mongodb.internal.digest': DIGEST,
    'objects.internal.digest': DIGEST,
  };
  const registry = {
    'image.registry': 'host:5000/acme',
    'image.tag': 'main',
    'objects.internal.image': 'host:5000/gw',
  };
  const objects = await render(values({ ...stores, ...registry, 'services.auth.digest': DIGEST }));
  const images = podsOf(objects).flatMap(({ pod }) => pod.containers.map(({ image }) => image));
  expect([...new Set(images)].filter((image) => !image.endsWith(':main')).sort()).toEqual([
    `docker.io/apache/kafka@${DIGEST}`,
    `docker.io/library/mongo@${DIGEST}`,
    `host:5000/acme/parley-auth@${DIGEST}`,
    `host:5000/gw@${DIGEST}`,
  ]);
  await expect(render(values({ 'services.auth.digest': 'sha256:1' }))).rejects.toThrow('sha256: and 64 digits');
});
