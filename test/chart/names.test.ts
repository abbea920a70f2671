import { expect, test } from '@jest/globals';
import { exampleFile, type KubernetesObject, render, values } from './chart.ts';

/** Helm's limit on the length of a release name. */
const MAX_RELEASE = 53;
const MAX_NAME = 63;
/** The suffix that Kubernetes appends to a StatefulSet's name in the label `controller-revision-hash`. */
const MAX_REVISION = '-4294967295'.length;
const DNS_LABEL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

const namesOf = (objects: KubernetesObject[], ...kinds: string[]) =>
  objects.filter(({ kind }) => kinds.includes(kind)).map(({ metadata }) => metadata.name);

const releases = [10, 37, 38, 39, 44, 45, 46, MAX_RELEASE].map((length) =>
  'preview-of-branch-a-'.repeat(3).slice(0, length),
);

test.each([...releases, 'parley-'.repeat(8).slice(0, 45), 'a.dotted.name', '1st'])(
  'a release named %s gets names and labels that Kubernetes accepts',
  async (release) => {
    const objects = await render([], release.replace(/-$/, 'x'));
    for (const name of namesOf(objects, 'Service', 'Deployment', 'StatefulSet')) {
      expect(name).toMatch(DNS_LABEL);
      expect(name.length).toBeLessThanOrEqual(MAX_NAME);
    }
    for (const name of namesOf(objects, 'StatefulSet'))
      expect(name.length + MAX_REVISION).toBeLessThanOrEqual(MAX_NAME);
    for (const { metadata, spec } of objects)
      for (const labels of [metadata.labels, spec?.template?.metadata.labels])
        for (const value of Object.values(labels ?? {})) expect(value.length).toBeLessThanOrEqual(MAX_NAME);
    expect(new Set(namesOf(objects, 'StatefulSet')).size).toBe(3);
  },
);

test.each([
  ['parley', {}, 'parley'],
  ['acme', {}, 'acme-parley'],
  ['r'.repeat(37), {}, `${'r'.repeat(37)}-parley`],
  ['acme', { fullnameOverride: 'f'.repeat(44) }, 'f'.repeat(44)],
  // Truncated at 45 characters, the last of which is a dash.
  [`${'r'.repeat(37)}-`.padEnd(46, 'parley-x'), {}, `${'r'.repeat(37)}-parley`],
])('what worked before keeps its names, on which its volumes hang: %s %j', async (release, given, fullname) => {
  const objects = await render(values(given), release);
  expect(namesOf(objects, 'StatefulSet').sort()).toEqual(
    ['kafka', 'mongodb', 'objects'].map((s) => `${fullname}-${s}`),
  );
  expect(namesOf(objects, 'Secret').sort()).toEqual([fullname, `${fullname}-mongodb`, `${fullname}-objects`]);
  const [gateway] = objects.filter(({ metadata }) => metadata.name === `${fullname}-gateway`);
  expect(gateway!.metadata.labels).toMatchObject({
    'app.kubernetes.io/name': 'parley',
    'app.kubernetes.io/instance': release,
  });
});

const SHARED_KAFKA = exampleFile('external.yaml');

test.each([
  ['with servers of their own', []],
  ['on one Kafka', SHARED_KAFKA],
])('two releases in one namespace share no object, no pod and no topic: %s', async (_, options) => {
  const [one, other] = [await render(options, 'one'), await render(options, 'other')];
  const keys = (objects: KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(keys(one).filter((key) => keys(other).includes(key))).toEqual([]);

  for (const { spec } of one) {
    const selector = (spec?.selector?.['matchLabels'] ?? spec?.selector) as Record<string, string> | undefined;
    if (!selector) continue;
    const chosen = other.filter(({ metadata, spec }) => {
      const labels = spec?.template?.metadata.labels ?? metadata.labels ?? {};
      return Object.entries(selector).every(([key, value]) => labels[key] === value);
    });
    expect(chosen).toEqual([]);
  }

  const own = (objects: KubernetesObject[]) =>
    ['KAFKA_BROKERS', 'BUS_PREFIX'].map((variable) => JSON.stringify(variablesNamed(objects, variable)));
  const [brokers, prefix] = own(one);
  const [otherBrokers, otherPrefix] = own(other);
  if (options === SHARED_KAFKA) expect(prefix).not.toBe(otherPrefix);
  else expect(brokers).not.toBe(otherBrokers);
});

test('the longest names give distinct topic prefixes that the bus accepts', async () => {
  const prefixes = await Promise.all(
    ['a', 'b'].map(async (end) => {
      const namespace = `${'n'.repeat(62)}${end}`;
      const objects = await render([...SHARED_KAFKA, '--namespace', namespace], 'r'.repeat(MAX_RELEASE));
      return variablesNamed(objects, 'BUS_PREFIX').filter((prefix) => prefix !== undefined);
    }),
  );
  for (const [prefix] of prefixes) expect(prefix).toMatch(/^[a-z0-9][a-z0-9._-]{0,99}$/);
  expect(prefixes[0]).not.toEqual(prefixes[1]);
});

/** The distinct values of a variable in all pods. */
function variablesNamed(objects: KubernetesObject[], variable: string): (string | undefined)[] {
  const containers = objects.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  const values = containers.flatMap(({ env = [] }) => env.filter(({ name }) => name === variable));
  return [...new Set(values.map(({ value }) => value))];
}
