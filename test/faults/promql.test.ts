import { expect, test } from '@jest/globals';
import { ALERTS } from './alerts.ts';
import { evaluate, type Sample, type Scrape } from './promql.ts';

const at = (seconds: number, samples: Record<string, Sample[]>): Scrape => ({
  at: seconds,
  samples: new Map(Object.entries(samples)),
});
const buckets = (...counts: [le: string, value: number][]) =>
  counts.map(([le, value]) => ({ labels: { le, step: 'model' }, value }));
const requests = (ok: number, failed: number) => ({
  requests: [
    { labels: { status: '200' }, value: ok },
    { labels: { status: '503' }, value: failed },
  ],
});

test('every alert of the chart can be evaluated, and none holds where nothing is known', () => {
  expect(ALERTS.flatMap(({ expr }) => evaluate(expr, [at(0, {}), at(30, {})]))).toEqual([]);
});

test('queries are evaluated as Prometheus does', () => {
  const up = (mongodb: number, bus: number) => [
    { labels: { dependency: 'mongodb', pod: 'a' }, value: mongodb },
    { labels: { dependency: 'bus', pod: 'a' }, value: bus },
  ];
  expect(evaluate('min by (dependency) (up) == 0', [at(0, { up: up(0, 0) }), at(15, { up: up(1, 0) })])).toEqual([
    { labels: { dependency: 'bus' }, value: 0 },
  ]);
  const share = 'sum(rate(requests{status=~"5.."}[5m])) / sum(rate(requests[5m]))';
  const [before, after] = [at(0, requests(100, 0)), at(10, requests(120, 5))];
  expect(evaluate(share, [before, after])).toEqual([{ labels: {}, value: 5 / 25 }]);
  expect(evaluate(`${share} > 0.2`, [before, after])).toEqual([]);
  expect(evaluate('increase(requests{status="200"}[1m])', [before, at(30, requests(7, 0))])).toMatchObject([
    { value: 7 },
  ]);
  expect(evaluate('rate(requests[5m])', [after])).toEqual([]);
  expect(evaluate('increase(requests[1m])', [before, at(60, requests(9, 9))])).toEqual([]);
  const slow = 'histogram_quantile(0.75, sum by (le, step) (rate(seconds_bucket[10m])))';
  const histogram = [
    at(0, { seconds_bucket: buckets(['10', 0], ['30', 0], ['+Inf', 0]) }),
    at(60, { seconds_bucket: buckets(['10', 1], ['30', 2], ['+Inf', 2]) }),
  ];
  expect(evaluate(slow, histogram)).toMatchObject([{ labels: { step: 'model' }, value: 20 }]);
  expect(evaluate('min by (topic) (lag)', [at(0, { lag: [{ labels: {}, value: Number.NaN }] })])).toMatchObject([
    { value: Number.NaN },
  ]);
});

test('a query that is none, or that needs more, is refused instead of never holding', () => {
  expect(() => evaluate('sum(', [at(0, {})])).toThrow('Not PromQL');
  expect(() => evaluate('avg(up) > 0', [at(0, {})])).toThrow('something new');
  expect(() => evaluate('up offset 5m', [at(0, {})])).toThrow('something new');
});
