import { parser } from '@prometheus-io/lezer-promql';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels: Labels;
  value: number;
}

/** Samples that were read of all processes at one time, by the name of their metric. */
export interface Scrape {
  /** Seconds on any clock. */
  at: number;
  samples: ReadonlyMap<string, readonly Sample[]>;
}

type Node = ReturnType<typeof parser.parse>['topNode'];
/** A series over the range of a query, oldest point first. */
type Series = { labels: Labels; points: { at: number; value: number }[] };

/**
 * Evaluates a query at the last of the scrapes, as Prometheus would after having made exactly these. Knows only what alerts use,
 * and does not extrapolate.
 *
 * @throws Error for anything else, and for a query that Prometheus' grammar refuses.
 */
export function evaluate(query: string, scrapes: readonly Scrape[]): Sample[] {
  const result = evaluatorOf(query, scrapes)(parsed(query));
  if (typeof result === 'number') throw new Error(`A number and no samples: ${query}`);
  return result;
}

/** Queries are evaluated again and again. */
const known = new Map<string, Node>();

function parsed(query: string): Node {
  const before = known.get(query);
  if (before) return before;
  const { topNode } = parser.parse(query);
  topNode.cursor().iterate(({ type, from }) => {
    if (type.isError) throw new Error(`Not PromQL at ${from}: ${query}`);
  });
  known.set(query, topNode);
  return topNode;
}

function evaluatorOf(query: string, scrapes: readonly Scrape[]) {
  const textOf = ({ from, to }: Node) => query.slice(from, to);
  const unknown = (node: Node) => new Error(`Alerts use something new, ${node.name}: ${textOf(node)}`);
  const last = scrapes.at(-1)!;

  function value(node: Node): number | Sample[] {
    switch (node.name) {
      case 'PromQL':
      case 'ParenExpr':
        return value(node.firstChild!);
      case 'NumberDurationLiteral':
        return Number(textOf(node));
      case 'VectorSelector':
        return selected(node, last);
      case 'AggregateExpr':
        return aggregated(node);
      case 'FunctionCall':
        return called(node);
      case 'BinaryExpr':
        return combined(node);
      default:
        throw unknown(node);
    }
  }
  function vector(node: Node): Sample[] {
    const found = value(node);
    if (typeof found === 'number') throw unknown(node);
    return found;
  }

  function selected(node: Node, { samples }: Scrape): Sample[] {
    const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
      const [label, op, text] = [matcher.firstChild!, matcher.firstChild!.nextSibling!, matcher.lastChild!].map(textOf);
      const wanted = JSON.parse(text!) as string;
      const isLike = new RegExp(`^(?:${wanted})$`);
      const matches = { '=': (v: string) => v === wanted, '=~': (v: string) => isLike.test(v) }[op!];
      if (!matches) throw unknown(matcher);
      return ({ labels }: Sample) => matches(labels[label!] ?? '');
    });
    const all = samples.get(textOf(node.getChild('Identifier')!)) ?? [];
    return all.filter((sample) => matchers.every((matches) => matches(sample)));
  }

  function ranges(node: Node): Series[] {
    if (node.name !== 'MatrixSelector') throw unknown(node);
    const [, number, unit] = /^(\d+)([smh])$/.exec(textOf(node.getChild('DurationExpr')!)) ?? [];
    const since = last.at - Number(number) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
    const series = new Map<string, Series>();
    for (const scrape of scrapes.filter(({ at }) => at > since))
      for (const { labels, value } of selected(node.getChild('VectorSelector')!, scrape)) {
        const one = series.get(keyOf(labels)) ?? { labels, points: [] };
        one.points.push({ at: scrape.at, value });
        series.set(keyOf(labels), one);
      }
    return [...series.values()];
  }

  function aggregated(node: Node): Sample[] {
    const by =
      node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName').map(textOf) ?? [];
    if (node.getChild('AggregateModifier')?.getChild('Without')) throw unknown(node);
    const aggregate = AGGREGATES[textOf(node.getChild('AggregateOp')!)];
    if (!aggregate) throw unknown(node);
    const groups = Map.groupBy(vector(argumentsOf(node)[0]!), ({ labels }) => keyOf(only(labels, by)));
    return [...groups.values()].map((group) => ({
      labels: only(group[0]!.labels, by),
      value: aggregate(group.map(({ value }) => value)),
    }));
  }

  function called(node: Node): Sample[] {
    const name = textOf(node.getChild('FunctionIdentifier')!);
    const given = argumentsOf(node);
    if (name === 'histogram_quantile') return quantiles(Number(value(given[0]!)), vector(given[1]!));
    const over = OVER_TIME[name];
    if (!over) throw unknown(node);
    return ranges(given[0]!).flatMap(({ labels, points }) => {
      const found = over(points);
      return found === undefined ? [] : [{ labels, value: found }];
    });
  }

  function combined(node: Node): Sample[] {
    const [left, op, right] = [node.firstChild!, node.firstChild!.nextSibling!, node.lastChild!];
    const holds = COMPARISONS[textOf(op)];
    if (holds) {
      const threshold = value(right);
      if (typeof threshold !== 'number') throw unknown(right);
      return vector(left).filter(({ value }) => holds(value, threshold));
    }
    if (textOf(op) !== '/') throw unknown(op);
    const divisors = new Map(vector(right).map(({ labels, value }) => [keyOf(labels), value]));
    return vector(left).flatMap(({ labels, value }) => {
      const divisor = divisors.get(keyOf(labels));
      return divisor === undefined ? [] : [{ labels, value: value / divisor }];
    });
  }

  return value;
}

function argumentsOf(node: Node): Node[] {
  const all: Node[] = [];
  for (let child = node.getChild('FunctionCallBody')!.firstChild; child; child = child.nextSibling) all.push(child);
  return all;
}

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort());

const only = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));

/** Ignores NaN while there is a number, as Prometheus does. */
const ofNumbers = (pick: (...values: number[]) => number) => (values: number[]) => {
  const numbers = values.filter((value) => !Number.isNaN(value));
  return numbers.length > 0 ? pick(...numbers) : Number.NaN;
};

const AGGREGATES: Record<string, (values: number[]) => number> = {
  min: ofNumbers(Math.min),
  max: ofNumbers(Math.max),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
};

const COMPARISONS: Record<string, (value: number, threshold: number) => boolean> = {
  '==': (value, threshold) => value === threshold,
  '>': (value, threshold) => value > threshold,
  '<': (value, threshold) => value < threshold,
};

/** A counter that is less than before has begun again at 0. A series of one point has no increase. */
function increase(points: Series['points']): number | undefined {
  if (points.length < 2) return undefined;
  return points
    .slice(1)
    .reduce((sum, { value }, i) => sum + value - (value < points[i]!.value ? 0 : points[i]!.value), 0);
}

const OVER_TIME: Record<string, (points: Series['points']) => number | undefined> = {
  increase,
  rate(points) {
    const risen = increase(points);
    return risen === undefined ? undefined : risen / (points.at(-1)!.at - points[0]!.at);
  },
  min_over_time: (points) => ofNumbers(Math.min)(points.map(({ value }) => value)),
};

/** Estimates a quantile from cumulative buckets: linear within the one that has it. */
function quantiles(quantile: number, buckets: readonly Sample[]): Sample[] {
  const without = ({ le: _, ...labels }: Labels): Labels => labels;
  return [...Map.groupBy(buckets, ({ labels }) => keyOf(without(labels))).values()].map((group) => {
    const bounds = group
      .map(({ labels: { le = '' }, value }) => ({ le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value }))
      .sort((a, b) => a.le - b.le);
    const rank = quantile * bounds.at(-1)!.value;
    const at = bounds.findIndex(({ value }) => value >= rank && value > 0);
    const below = bounds[at - 1] ?? { le: 0, value: 0 };
    const found = bounds[at];
    const labels = without(group[0]!.labels);
    if (!found) return { labels, value: Number.NaN };
    if (found.le === Number.POSITIVE_INFINITY) return { labels, value: below.le };
    return { labels, value: below.le + ((found.le - below.le) * (rank - below.value)) / (found.value - below.value) };
  });
}
