import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@parley/runtime';
import { ALERTS } from '../faults/alerts.ts';
import { type KubernetesObject, objectOf, render, values } from './chart.ts';

const KINDS = ['podMonitor', 'prometheusRule', 'dashboard'];
const plain = await render();
const monitored = await render(
  values({
    ...Object.fromEntries(KINDS.map((kind) => [`monitoring.${kind}.enabled`, true])),
    'monitoring.prometheusRule.labels': { release: 'prometheus' },
    'monitoring.prometheusRule.runbooks': 'https://wiki.example/runbooks.md',
    'tracing.endpoint': 'http://collector:4318',
  }),
);

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  annotations: { runbook_url: string };
}

const { groups } = objectOf(monitored, 'PrometheusRule', 'parley').spec as never as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(objectOf(monitored, 'ConfigMap', 'parley-dashboard').data!['parley.json']!) as {
  panels: { targets: { expr: string }[] }[];
};

test('nothing that watches is installed by default', () => {
  const kinds = plain.map(({ kind }: KubernetesObject) => kind);
  expect(kinds).not.toContain('PodMonitor');
  expect(kinds).not.toContain('PrometheusRule');
  expect(JSON.stringify(plain)).not.toContain('OTEL_');
});

test('every query of an alert or a panel names a metric that a scrape returns', async () => {
  const { text } = await createMetrics().scrape();
  const scraped = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) => series(name!, type!)),
  );
  const queries = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap((p) => p.targets.map((t) => t.expr))];
  expect(queries.length).toBeGreaterThan(20);
  const named = queries.map((query) => query.match(/parley_\w+/g) ?? ['none']);
  expect(named.flat().filter((name) => !scraped.has(name))).toEqual([]);
});

const series = (name: string, type: string): string[] =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name];

test('the alerts are installed as they were tested, with how long each has to hold', () => {
  const waits = (all: readonly Pick<Rule, 'alert' | 'expr' | 'for'>[]) =>
    all.map((rule) => [rule.alert, rule.expr, rule.for]);
  expect(waits(rules)).toEqual(waits(ALERTS));
});

test('every alert links to its section of the runbook', async () => {
  const page = await readFile(new URL('../../docs/runbooks.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, title]) => title!);
  expect(sections.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toMatch(new RegExp(`/runbooks\\.md#${alert.toLowerCase()}$`));
  expect(objectOf(monitored, 'PrometheusRule', 'parley').metadata.labels).toMatchObject({ release: 'prometheus' });
});

test('every process sends its traces to the collector under its own name', () => {
  const { env } = objectOf(monitored, 'Deployment', 'parley-trainer').spec!.template!.spec.containers[0]!;
  expect(env).toContainEqual({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector:4318' });
  expect(env).toContainEqual({ name: 'OTEL_SERVICE_NAME', value: 'parley-trainer' });
});
