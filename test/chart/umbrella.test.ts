import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { CHART, type KubernetesObject, objectOf, render, secretOf, values } from './chart.ts';
import { kubernetesWith } from './kubernetes.fixture.ts';
import { writeUmbrella } from './umbrella.fixture.ts';

const work = await mkdtemp(join(tmpdir(), 'parley-umbrella-'));
afterAll(() => rm(work, { recursive: true }));

const umbrella = (...aliases: string[]) => writeUmbrella(join(work, aliases.join('-') || 'plain'), CHART, aliases);

const ofKind = (objects: KubernetesObject[], kind: string) => objects.filter((object) => object.kind === kind);

test('a parent chart can enable and disable it with a condition, and pass global values', async () => {
  const chart = await umbrella();
  const given = { 'parley.enabled': true, global: { region: 'eu' } };
  expect(ofKind(await render(values(given), 'acme', chart), 'Deployment')).toHaveLength(7);
  expect(ofKind(await render(values({ 'parley.enabled': false }), 'acme', chart), 'Deployment')).toEqual([]);
});

test('a Secret that the parent chart creates in the same release need not exist before', async () => {
  await using kubernetes = await kubernetesWith({});
  const given = { 'parley.openai.existingSecret': 'model' };
  const objects = await render([...kubernetes.options, ...values(given)], 'acme', await umbrella());
  expect(secretOf(objects, 'model', 'api-key')).toBe('secret');
});

test('replicas that a parent chart sets to null are left to an autoscaler', async () => {
  const given = { 'parley.services.gateway.replicas': null };
  const objects = await render(values(given), 'acme', await umbrella());
  expect(objectOf(objects, 'Deployment', 'acme-parley-gateway').spec).not.toHaveProperty('replicas');
});

test('two aliases in one release share no object and no pod', async () => {
  const objects = await render([], 'acme', await umbrella('support', 'sales'));
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['Deployment acme-support-auth', 'Deployment acme-sales-auth']));
  for (const { spec } of ofKind(objects, 'Service')) {
    const pods = objects.filter(({ spec: other }) => {
      const labels = other?.template?.metadata.labels;
      return labels && Object.entries(spec!.selector!).every(([key, value]) => labels[key] === value);
    });
    expect(pods).toHaveLength(1);
  }
});

test('nameOverride gives an alias the names that it would have without one', async () => {
  const chart = await umbrella('support', 'sales');
  const objects = await render(values({ 'sales.enabled': false, 'support.nameOverride': 'parley' }), 'acme', chart);
  expect(objectOf(objects, 'Deployment', 'acme-parley-auth').spec!.selector).toEqual({
    matchLabels: {
      'app.kubernetes.io/name': 'parley',
      'app.kubernetes.io/instance': 'acme',
      'app.kubernetes.io/component': 'auth',
    },
  });
});
