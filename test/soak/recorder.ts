import { quantile } from '../bench/measure.ts';
import { KINDS, type Kind } from './requests.ts';

/** The requests of one kind; times are in milliseconds, of those that no restart disturbed. */
export interface Served {
  count: number;
  p50: number;
  p99: number;
}

export interface MinuteOfRequests {
  /** Answered, as they should be or for good. */
  requests: number;
  /** Refused or unanswered around a restart, and sent again. */
  retried: number;
  errors: number;
  /** Kinds without requests are absent. */
  kinds: Partial<Record<Kind, Served>>;
}

/** Collects what clients see. `began` is the time of `performance.now()` when a request was sent. */
export interface Recorder {
  answered(kind: Kind, began: number): void;
  /** No answer, or one that asks for another attempt: legitimate around a restart, otherwise an error. */
  putOff(what: string, began: number): void;
  failed(what: string): void;
  /** Something acknowledged is missing, or stored twice. */
  lost(what: string): void;
  /** Begins a disturbance; the returned function ends it. */
  disturb(): () => void;
  /** Returns whether there was a disturbance since then. */
  isDisturbed(began: number): boolean;
  /** Returns the requests since the last call. */
  take(): MinuteOfRequests;
  /** The first errors, each with its time. */
  readonly errors: readonly string[];
  readonly losses: readonly string[];
  /** Counts of the whole run. */
  readonly totals: Readonly<Omit<MinuteOfRequests, 'kinds'>>;
}

const MAX_KEPT = 100;

export function createRecorder(): Recorder {
  const errors: string[] = [];
  const losses: string[] = [];
  const totals = { requests: 0, retried: 0, errors: 0 };
  const taken = { ...totals };
  let times = new Map<Kind, number[]>();
  let disturbances = 0;
  let lastEnded = Number.NEGATIVE_INFINITY;

  const keep = (list: string[], what: string) => {
    if (list.length < MAX_KEPT) list.push(`${new Date().toISOString()} ${what}`);
  };
  const isDisturbed = (began: number) => disturbances > 0 || lastEnded > began;
  const failed = (what: string) => {
    totals.errors += 1;
    keep(errors, what);
  };
  const served = (kind: Kind): [Kind, Served][] => {
    const of = times.get(kind);
    return of ? [[kind, { count: of.length, p50: quantile(of, 0.5), p99: quantile(of, 0.99) }]] : [];
  };

  return {
    errors,
    losses,
    totals,
    failed,
    isDisturbed,
    answered(kind, began) {
      if (kind !== 'training') totals.requests += 1;
      if (isDisturbed(began)) return;
      const of = times.get(kind) ?? [];
      of.push(performance.now() - began);
      times.set(kind, of);
    },
    putOff(what, began) {
      if (isDisturbed(began)) totals.retried += 1;
      else failed(`${what}, although nothing was restarted`);
    },
    lost: (what) => keep(losses, what),
    disturb() {
      disturbances += 1;
      return () => {
        disturbances -= 1;
        lastEnded = performance.now();
      };
    },
    take() {
      const minute = {
        requests: totals.requests - taken.requests,
        retried: totals.retried - taken.retried,
        errors: totals.errors - taken.errors,
        kinds: Object.fromEntries(KINDS.flatMap(served)),
      };
      Object.assign(taken, totals);
      times = new Map();
      return minute;
    },
  };
}
