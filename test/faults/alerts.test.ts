import { expect, test } from '@jest/globals';
import { ALERTS, firedOver } from './alerts.ts';
import type { Labels, Sample, Scrape } from './promql.ts';

/** Seconds between two scrapes, and two evaluations: the Prometheus operator's default. */
const EVERY = 30;
const MINUTE = 60;
/** When what is wrong begins. Queries look back as far as half an hour. */
const BEGIN = 31 * MINUTE;
const AFTERWARDS = 45 * MINUTE;

/** What a pod serves `seconds` after its start, of which something has been wrong for `wrong`, and whether it is now. */
type Serves = (seconds: number, wrong: number, isWrong: boolean) => Record<string, Sample[]>;

/** The scrapes of a pod with which something is wrong for some minutes. */
function scrapes(serves: Serves, minutes: number): Scrape[] {
  const end = BEGIN + minutes * MINUTE;
  return Array.from({ length: (end + AFTERWARDS) / EVERY + 1 }, (_, i) => {
    const at = i * EVERY;
    const wrong = Math.max(0, Math.min(at, end) - BEGIN);
    return { at, samples: new Map(Object.entries(serves(at, wrong, at > BEGIN && at <= end))) };
  });
}

const one = (value: number, labels: Labels = {}): Sample[] => [{ labels: { pod: 'p', ...labels }, value }];

const dependency: Serves = (_, __, isWrong) => ({
  parley_dependency_up: [...one(isWrong ? 0 : 1, { dependency: 'bus' }), ...one(1, { dependency: 'mongodb' })],
});
/** Ten requests a second, of which a share fails. */
const errors =
  (share: number): Serves =>
  (seconds, wrong) => ({
    parley_http_seconds_count: [
      ...one(10 * (seconds - share * wrong), { status: '200' }),
      ...one(10 * share * wrong, { status: '503' }),
    ],
  });
/** One answer a second, for which the model takes either less than ten seconds or up to this many. */
const answers =
  (slow: number): Serves =>
  (seconds, wrong) => ({
    parley_answer_step_seconds_bucket: [10, 20, 30, Number.POSITIVE_INFINITY].flatMap((le) =>
      one(slow <= le ? seconds : seconds - wrong, {
        step: 'model',
        le: le === Number.POSITIVE_INFINITY ? '+Inf' : `${le}`,
      }),
    ),
  });
/** Something waits since the beginning, or at most this long. */
const queue =
  (longest = Number.POSITIVE_INFINITY): Serves =>
  (_, wrong, isWrong) => ({
    parley_queue_oldest_age_seconds: one(isWrong ? Math.min(wrong, longest) : 0, { queue: 'training' }),
  });
const outbox: Serves = (_, wrong, isWrong) => ({
  parley_outbox_oldest_age_seconds: one(isWrong ? wrong : 0, { collection: 'items' }),
});
/** A consumer that is this far behind. */
const lag =
  (messages: number): Serves =>
  (_, __, isWrong) => ({ parley_bus_lag_messages: one(isWrong ? messages : 3, { topic: 't', group: 'g' }) });
/** A counter that rises by this much as soon as something is wrong. */
const counted =
  (metric: string, labels: Labels, by = 1): Serves =>
  (_, wrong) => ({ [metric]: one(wrong > 0 ? by : 0, labels) });
const failed = { queue: 'mail', outcome: 'failed' };

interface Expected {
  alert: string;
  serves: Serves;
  /** How long something is wrong. */
  minutes: number;
  labels: Labels;
  /** Minutes from its beginning to the alert. */
  fires: number;
  /** Minutes from its end to the end of the alert. */
  resolves: number;
}

const bus = { topic: 't', group: 'g' };
const FIRES: Expected[] = [
  {
    alert: 'ParleyDependencyDown',
    serves: dependency,
    minutes: 5,
    labels: { dependency: 'bus', pod: 'p' },
    fires: 2.5,
    resolves: 0.5,
  },
  { alert: 'ParleyErrors', serves: errors(1), minutes: 10, labels: {}, fires: 5.5, resolves: 4.5 },
  { alert: 'ParleyErrors', serves: errors(0.05), minutes: 10, labels: {}, fires: 7, resolves: 3 },
  {
    alert: 'ParleySlowAnswers',
    serves: answers(25),
    minutes: 20,
    labels: { step: 'model' },
    fires: 10.5,
    resolves: 9.5,
  },
  {
    alert: 'ParleyQueueWaits',
    serves: queue(),
    minutes: 45,
    labels: { queue: 'training' },
    fires: 40.5,
    resolves: 0.5,
  },
  {
    alert: 'ParleyOutboxStuck',
    serves: outbox,
    minutes: 15,
    labels: { collection: 'items' },
    fires: 10.5,
    resolves: 0.5,
  },
  { alert: 'ParleyBusLag', serves: lag(1_500), minutes: 40, labels: bus, fires: 30, resolves: 0.5 },
  {
    alert: 'ParleyDeadLetters',
    serves: counted('parley_bus_dead_total', bus),
    minutes: 1,
    labels: bus,
    fires: 0.5,
    resolves: 9,
  },
  {
    alert: 'ParleyForgedMessages',
    serves: counted('parley_bus_rejected_total', bus),
    minutes: 1,
    labels: { topic: 't' },
    fires: 0.5,
    resolves: 9,
  },
  {
    alert: 'ParleyDeliveriesFail',
    serves: counted('parley_queue_handled_seconds_count', failed, 11),
    minutes: 1,
    labels: { queue: 'mail' },
    fires: 0.5,
    resolves: 29,
  },
];

test.each(FIRES)(
  '$alert fires $fires min after its cause has begun, and not before, and ends by itself',
  (expected) => {
    const { alert, serves, minutes, labels, fires, resolves } = expected;
    const until = BEGIN + (minutes + resolves) * MINUTE;
    expect(firedOver(scrapes(serves, minutes))).toEqual({ [alert]: [{ labels, from: BEGIN + fires * MINUTE, until }] });
  },
);

test('every alert has such a test', () => {
  expect([...new Set(FIRES.map(({ alert }) => alert))]).toEqual(ALERTS.map(({ alert }) => alert));
});

test.each<[what: string, serves: Serves, minutes: number]>([
  ['a server that restarts within two minutes', dependency, 2],
  ['half a minute in which every request fails', errors(1), 0.5],
  ['one request in a hundred that fails', errors(0.01), 60],
  ['answers of less than twenty seconds', answers(20), 60],
  ['a queue that moves on within half an hour', queue(1_800), 60],
  ['a training that has waited for half an hour, and then begins', queue(), 35],
  ['a bus that is away for five minutes', outbox, 5],
  ['a consumer that catches up within a quarter of an hour', lag(1_500), 15],
  ['a consumer that is always a little behind', lag(1_000), 60],
  ['ten deliveries that failed', counted('parley_queue_handled_seconds_count', failed, 10), 1],
])('nothing fires for %s', (_, serves, minutes) => {
  expect(firedOver(scrapes(serves, minutes))).toEqual({});
});
