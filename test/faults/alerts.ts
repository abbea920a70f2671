import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { evaluate, type Sample, type Scrape } from './promql.ts';

interface Alert {
  alert: string;
  expr: string;
  /** How long the condition has to hold, such as `5m`; absent if it fires at once. */
  for?: string;
}

/** The alerts that the chart installs. */
export const ALERTS = parse(
  await readFile(new URL('../../helm/files/alerts.yaml', import.meta.url), 'utf8'),
) as readonly Alert[];

/** A process that serves metrics. */
interface Scraped {
  name: string;
  /** The address of its operations port. */
  ops: string;
}

const SCRAPE_WITHIN_MS = 10_000;

/** Reads the metrics of all processes, as Prometheus does: a process is a pod, and one that does not answer has no samples. */
export async function scrape(processes: readonly Scraped[]): Promise<Scrape> {
  const read = processes.map(async ({ name, ops }) => {
    const answer = fetch(`${ops}/metrics`, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) });
    return { pod: name, text: await answer.then((response) => response.text()).catch(() => '') };
  });
  return scrapeOf(await Promise.all(read));
}

/** What pods have served just now. */
export function scrapeOf(served: readonly { pod: string; text: string }[]): Scrape {
  const samples = served.flatMap(({ pod, text }) => samplesOf(text, pod));
  return { at: performance.now() / 1_000, samples: Map.groupBy(samples, ({ metric }) => metric) };
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const samplesOf = (text: string, pod: string): (Sample & { metric: string })[] =>
  [...text.matchAll(LINE)].map(([, metric = '', labels = '', value = '']) => ({
    metric,
    labels: { ...Object.fromEntries([...labels.matchAll(LABEL)].map(([, name, text]) => [name, text])), pod },
    value: Number(value.replace('Inf', 'Infinity').replace('Nan', 'NaN')),
  }));

/** The alerts whose condition holds at the last scrape, and for what. `for`, how long it has to, is not waited for. */
export const firing = (...scrapes: Scrape[]): Record<string, Sample['labels'][]> =>
  Object.fromEntries(
    ALERTS.map(({ alert, expr }) => [alert, evaluate(expr, scrapes).map(({ labels }) => labels)] as const).filter(
      ([, found]) => found.length > 0,
    ),
  );

/** A time during which an alert fired; `until` is absent if it still did at the last scrape. */
export interface Fired {
  labels: Sample['labels'];
  from: number;
  until?: number;
}

/** The times during which alerts fired, as Prometheus says that evaluates them after each of these scrapes. */
export function firedOver(scrapes: readonly Scrape[]): Record<string, Fired[]> {
  const fired = ALERTS.map((alert) => [alert.alert, firedTimes(alert, scrapes)] as const);
  return Object.fromEntries(fired.filter(([, times]) => times.length > 0));
}

function firedTimes({ expr, for: wait = '0m' }: Alert, scrapes: readonly Scrape[]): Fired[] {
  const waitSeconds = Number(/^(\d+)m$/.exec(wait)![1]) * 60;
  const times: Fired[] = [];
  /** Those whose condition holds: since when, and the time of firing once it has held for long enough. */
  const active = new Map<string, { since: number; time?: Fired }>();
  for (const [i, { at }] of scrapes.entries()) {
    const found = new Map(
      evaluate(expr, scrapes.slice(0, i + 1)).map(({ labels }) => [JSON.stringify(labels), labels]),
    );
    for (const [key, labels] of found) {
      const one = active.get(key) ?? { since: at };
      active.set(key, one);
      if (one.time || at - one.since < waitSeconds) continue;
      one.time = { labels, from: at };
      times.push(one.time);
    }
    for (const [key, { time }] of active) {
      if (found.has(key)) continue;
      if (time) time.until = at;
      active.delete(key);
    }
  }
  return times;
}
