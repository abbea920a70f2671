/** A resource of which something is not delivered yet. */
export interface Held {
  resource: string;
  /** Events of the resource are delivered from this number on. */
  seq: number;
  /** Failed attempts at the first of them. */
  attempts: number;
  failing_since: Date | null;
  /** When to try again; null: now. */
  due: Date | null;
}

/** How far the deliveries to an endpoint have got. Its size does not depend on how much waits. */
export interface StoredProgress {
  /** Events up to this number are delivered, given up or not subscribed to, except those of resources that are held. */
  position: number;
  held: Held[];
  /** Failures since the last success. */
  failures: number;
  failing_since: Date | null;
}

/** When what is tried again. */
export interface Timing {
  /** The pause after the first failure of an event; it quadruples with each further one, up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** How long an event is tried. */
  tryForMs: number;
  /** After so many failures in a row, the endpoint is only probed, by one request after a pause that doubles up to the longest. */
  breakAfter: number;
  firstProbeMs: number;
  longestProbeMs: number;
  /** An endpoint is disabled when nothing has been accepted for so long. */
  disableAfterMs: number;
  /** Resources that are held. While there are as many, no further events are read. */
  maxHeld: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const TIMING: Timing = {
  firstPauseMs: 5_000,
  longestPauseMs: 4 * HOUR_MS,
  tryForMs: DAY_MS,
  breakAfter: 5,
  firstProbeMs: 5_000,
  longestProbeMs: 5 * MINUTE_MS,
  disableAfterMs: 3 * DAY_MS,
  maxHeld: 200,
};

/** Random share of a pause that is taken off, so that retries spread out. */
const JITTER = 0.2;
const PAUSE_FACTOR = 4;
/** A power beyond it would overflow, and the longest pause comes earlier anyway. */
const MAX_POWER = 20;

/** An event, as far as its order matters. */
export interface Numbered {
  seq: number;
  resource: string;
}

export type Progress = ReturnType<typeof progressOf>;

/**
 * Returns the events to deliver to an endpoint next. Events of a resource are delivered one after the other, and wait behind one that
 * failed until it is accepted or given up; other resources go on.
 */
export function progressOf(stored: StoredProgress, timing: Timing) {
  const held = new Map(stored.held.map((one) => [one.resource, { ...one }]));
  let { position, failures, failing_since } = stored;

  const isBroken = (): boolean => failures >= timing.breakAfter;
  const probeMs = (): number => {
    if (!isBroken()) return 0;
    const doubled = 2 ** Math.min(failures - timing.breakAfter, MAX_POWER);
    return Math.min(timing.firstProbeMs * doubled, timing.longestProbeMs);
  };
  const ordered = (): Held[] => [...held.values()].sort((a, b) => a.seq - b.seq);
  const goOn = (one: Held, seq: number) =>
    Object.assign(one, { seq: seq + 1, attempts: 0, failing_since: null, due: null });

  return {
    position: (): number => position,
    /** Resources that may be added. */
    room: (): number => timing.maxHeld - held.size,
    isHeld: (resource: string): boolean => held.has(resource),
    /** The number from which on the events of a held resource are to be delivered. */
    from: (resource: string): number => held.get(resource)!.seq,

    /** The endpoint seems to be down. */
    isBroken,

    /** Takes over all events up to a number, of which these are subscribed to. */
    take(events: readonly Numbered[], upTo: number): void {
      for (const { resource, seq } of events)
        if (!held.has(resource)) held.set(resource, { resource, seq, attempts: 0, failing_since: null, due: null });
      position = upTo;
    },

    /** The resources to go on with, those whose events wait longest first; at most one of an endpoint that seems to be down. */
    ready(now: Date): string[] {
      const due = ordered().filter((one) => one.due === null || one.due <= now);
      return due.slice(0, isBroken() ? 1 : due.length).map(({ resource }) => resource);
    },

    /** An event was accepted. */
    delivered({ resource, seq }: Numbered): void {
      goOn(held.get(resource)!, seq);
      // It has recovered: what waits for its next attempt need not wait longer.
      if (isBroken()) for (const one of held.values()) one.due = null;
      failures = 0;
      failing_since = null;
    },

    /** An event is not subscribed to any more. Returns that the next one may follow. */
    skipped({ resource, seq }: Numbered): true {
      goOn(held.get(resource)!, seq);
      return true;
    },

    /** Nothing of the resource is left up to the position. */
    finished: (resource: string): void => void held.delete(resource),

    /** An event was not accepted. Returns when to try again, or undefined if it is given up. */
    failed({ resource, seq }: Numbered, now: Date): Date | undefined {
      const one = held.get(resource)!;
      failures++;
      failing_since ??= now;
      one.failing_since ??= now;
      if (now.getTime() - one.failing_since.getTime() >= timing.tryForMs) {
        goOn(one, seq);
        return undefined;
      }
      const pauseMs = timing.firstPauseMs * PAUSE_FACTOR ** Math.min(one.attempts, MAX_POWER);
      const jitter = 1 - JITTER * Math.random();
      one.attempts++;
      one.due = new Date(now.getTime() + Math.min(pauseMs, timing.longestPauseMs) * jitter);
      return one.due;
    },

    /** Nothing has been accepted for so long that the endpoint is to be disabled. */
    isHopeless: (now: Date): boolean =>
      failing_since !== null && now.getTime() - failing_since.getTime() >= timing.disableAfterMs,

    /** Milliseconds until further events may be read; undefined while too many resources are held. */
    readPauseMs: (): number | undefined => (held.size < timing.maxHeld ? probeMs() : undefined),

    /** Milliseconds until something that is held is to be tried; undefined if nothing is. */
    heldPauseMs(now: Date): number | undefined {
      const times = [...held.values()].map(({ due }) => (due === null ? 0 : due.getTime() - now.getTime()));
      return times.length === 0 ? undefined : Math.max(probeMs(), Math.min(...times));
    },

    stored: (): StoredProgress => ({ position, held: ordered().map((one) => ({ ...one })), failures, failing_since }),
  };
}
