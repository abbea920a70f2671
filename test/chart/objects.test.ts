import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { exampleFile, examples, helm, type KubernetesObject, podsOf, render, tools, values } from './chart.ts';
import { brokenRules } from './restricted.ts';

const rendered = new Map<string, KubernetesObject[]>();
for (const name of examples) rendered.set(name, await render(exampleFile(name)));
const everyExample = [...rendered] as [string, KubernetesObject[]][];
const schemaOf = await kubernetesSchemas();

/** Validators by kind, from Kubernetes' own strict schemas, which reject unknown fields. */
async function kubernetesSchemas(): Promise<(object: KubernetesObject) => ValidateFunction> {
  const definitions = JSON.parse(await readFile(tools.schemas, 'utf8'));
  // Number formats such as int32 are specific to Kubernetes, and its schemas leave types to the referenced schemas.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: { kubernetes: definitions } });
  const names = Object.entries(definitions.$defs as Record<string, { 'x-kubernetes-group-version-kind'?: Kind[] }>);
  return ({ apiVersion, kind }) => {
    const isIt = (of: Kind) => [of.group, of.version].filter(Boolean).join('/') === apiVersion && of.kind === kind;
    const [name] = names.find(([, schema]) => schema['x-kubernetes-group-version-kind']?.some(isIt)) ?? [];
    if (!name) throw new Error(`Kubernetes knows no ${apiVersion} ${kind}`);
    return ajv.getSchema(`kubernetes#/$defs/${name}`)!;
  };
}

/** Kinds that Kubernetes has no schema for, because a controller brings them. */
const OF_OTHERS = ['Certificate', 'HTTPRoute', 'ScaledObject'];

type Kind = { group: string; version: string; kind: string };

test.each(examples)('helm lint finds no problem: %s', async (name) => {
  expect(await helm(['lint', '--strict'], exampleFile(name))).toContain('0 chart(s) failed');
});

test.each(everyExample)('each object is valid for Kubernetes, and each name is unique: %s', (_, objects) => {
  for (const object of objects.filter(({ kind }) => !OF_OTHERS.includes(kind))) {
    const validate = schemaOf(object);
    validate(object);
    expect({ of: `${object.kind} ${object.metadata.name}`, errors: validate.errors }).toMatchObject({ errors: null });
  }
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('a field that Kubernetes does not know is detected', async () => {
  const [deployment] = rendered.get('minimal.yaml')!.filter(({ kind }) => kind === 'Deployment');
  const validate = schemaOf(deployment!);
  expect(validate({ ...deployment, spec: { ...deployment!.spec, replica: 1 } })).toBe(false);
});

test.each(everyExample)('each pod complies with the restricted Pod Security Standard: %s', (name, objects) => {
  for (const { name: of, kind, pod } of podsOf(objects)) {
    expect({ of, broken: brokenRules(pod) }).toEqual({ of, broken: [] });
    expect(pod.automountServiceAccountToken).toBe(false);
    const writable = name === 'everything.yaml' && kind === 'Deployment';
    for (const { securityContext, resources } of pod.containers) {
      expect(securityContext!['readOnlyRootFilesystem']).toBe(!writable);
      expect(resources).toMatchObject({ requests: { cpu: expect.anything(), memory: expect.anything() } });
      expect(resources!.limits).toHaveProperty('memory');
    }
  }
});

test.each(everyExample)('no container sets a variable twice: %s', (_, objects) => {
  for (const { pod } of podsOf(objects))
    for (const { env = [] } of pod.containers) {
      const names = env.map((variable) => variable.name);
      expect(names).toEqual([...new Set(names)]);
    }
});

test('pod labels from the values never detach a pod from its Deployment', () => {
  for (const { spec, kind } of rendered.get('everything.yaml')!) {
    if (kind !== 'Deployment' && kind !== 'StatefulSet') continue;
    expect(spec!.template!.metadata.labels).toMatchObject(spec!.selector!['matchLabels'] as object);
  }
});

test('without Kafka, none runs, and no service looks for one', async () => {
  const objects = await render(values({ 'kafka.enabled': false, 'networkPolicy.enabled': true }));
  expect(JSON.stringify(objects)).not.toMatch(/kafka/i);
});

test('with external servers and secrets, the chart creates no Secret, volume or store', () => {
  const kinds = rendered.get('external.yaml')!.map(({ kind }) => kind);
  expect(kinds).not.toContain('Secret');
  expect(kinds).not.toContain('StatefulSet');
  expect(kinds).not.toContain('ServiceAccount');
});

test('only the test’s own site is exempt from the guard, and only if test.site is set', () => {
  const allowed = (name: string) =>
    podsOf(rendered.get(name)!).flatMap(({ pod }) =>
      pod.containers.flatMap(({ env = [] }) =>
        env.filter((variable) => variable.name === 'CRAWL_ALLOW').map((v) => v.value),
      ),
    );
  expect(allowed('minimal.yaml')).toEqual([]);
  const own = '10.0.0.0/8,wiki.internal:8080,acme-parley-test:8080';
  expect(allowed('everything.yaml')).toEqual([own, own, own]);
});
