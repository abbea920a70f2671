import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Numbered, progressOf, type StoredProgress, type Timing } from './progress.ts';

const timing: Timing = {
  ...{ firstPauseMs: 1_000, longestPauseMs: 60_000, tryForMs: 3_600_000, breakAfter: 3 },
  ...{ firstProbeMs: 1_000, longestProbeMs: 10_000, disableAfterMs: 3 * 24 * 3_600_000, maxHeld: 3 },
};
const nothing: StoredProgress = { position: 0, held: [], failures: 0, failing_since: null };
const at = (ms: number) => new Date(ms);
const log = (...resources: string[]): Numbered[] => resources.map((resource, i) => ({ resource, seq: i + 1 }));

test('what comes after a failure of the same resource waits; other resources go on', () => {
  const progress = progressOf(nothing, timing);
  const [a1, b2] = log('a', 'b', 'a') as [Numbered, Numbered];
  progress.take(log('a', 'b', 'a'), 3);
  expect(progress.ready(at(0))).toEqual(['a', 'b']);
  const due = progress.failed(a1, at(0))!;
  progress.delivered(b2);
  progress.finished('b');
  expect(progress.ready(at(0))).toEqual([]);
  expect(progress.ready(due)).toEqual(['a']);
  expect(progress.from('a')).toBe(1);
});

test('pauses grow up to the longest, and an event is given up after the time that it is tried for', () => {
  const progress = progressOf(nothing, { ...timing, breakAfter: Infinity });
  const [a] = log('a') as [Numbered];
  progress.take([a], 1);
  let now = at(0);
  const pauses: number[] = [];
  for (let due = progress.failed(a, now); due; due = progress.failed(a, now)) {
    pauses.push(due.getTime() - now.getTime());
    now = due;
  }
  expect(now.getTime()).toBeGreaterThanOrEqual(timing.tryForMs);
  expect(now.getTime()).toBeLessThanOrEqual(timing.tryForMs + timing.longestPauseMs);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(timing.longestPauseMs);
  expect(pauses[1]).toBeGreaterThan(pauses[0]!);
  expect(progress.from('a')).toBe(2);
});

test('an endpoint that is down is probed by one request at a time, and tried in full once one is accepted', () => {
  const progress = progressOf(nothing, timing);
  const events = log('a', 'b', 'c');
  progress.take(events, 3);
  for (const event of events) progress.failed(event, at(0));
  expect(progress.isBroken()).toBe(true);
  expect(progress.heldPauseMs(at(0))).toBeGreaterThanOrEqual(timing.firstProbeMs * 0.8);
  expect(progress.ready(at(60_000))).toEqual(['a']);
  progress.delivered(events[0]!);
  progress.finished('a');
  expect(progress.isBroken()).toBe(false);
  expect(progress.ready(at(0))).toEqual(['b', 'c']);
});

test('an endpoint is hopeless once nothing was accepted for three days, however often something was tried', () => {
  const progress = progressOf(nothing, timing);
  const [a] = log('a') as [Numbered];
  progress.take([a], 1);
  for (const ms of [0, 1_000, timing.disableAfterMs - 1]) progress.failed(a, at(ms));
  expect(progress.isHopeless(at(timing.disableAfterMs - 1))).toBe(false);
  expect(progress.isHopeless(at(timing.disableAfterMs))).toBe(true);
  progress.delivered(a);
  expect(progress.isHopeless(at(timing.disableAfterMs))).toBe(false);
});

const acts = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), most: fc.integer({ min: 1, max: 5 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('try' as const), which: fc.nat(5), accepted: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.nat(5_000_000) }) },
    // The process dies: what was done since it last stored its progress is done again.
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
  ),
  { maxLength: 120 },
);

test('whatever fails and whenever it dies, every event is accepted or given up, in order by resource, and its size is bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 40 }), acts, (resources, acts) => {
      const events = log(...resources);
      let stored = nothing;
      let progress = progressOf(stored, timing);
      let now = 0;
      /** Settled events in order; a death may settle one again. */
      const settled: Numbered[] = [];
      const nextOf = (resource: string) =>
        events.find((e) => e.resource === resource && e.seq >= progress.from(resource) && e.seq <= progress.position());
      const read = (most: number) => {
        const limit = Math.min(most, progress.room());
        const found = events.filter(({ seq }) => seq > progress.position()).slice(0, Math.max(0, limit));
        if (found.length > 0) progress.take(found, found.at(-1)!.seq);
      };
      const attempt = (resource: string, accepted: boolean) => {
        const event = nextOf(resource);
        if (!event) return progress.finished(resource);
        if (accepted) progress.delivered(event);
        else if (progress.failed(event, at(now))) return;
        settled.push(event);
      };
      for (const act of acts) {
        if (act.kind === 'read') read(act.most);
        if (act.kind === 'pause') now += act.ms;
        if (act.kind === 'save') stored = progress.stored();
        if (act.kind === 'die') progress = progressOf(stored, timing);
        if (act.kind === 'try') {
          const ready = progress.ready(at(now));
          if (ready.length > 0) attempt(ready[act.which % ready.length]!, act.accepted);
        }
        expect(progress.stored().held.length).toBeLessThanOrEqual(timing.maxHeld);
      }
      for (let rounds = 0; progress.position() < events.length || progress.stored().held.length > 0; rounds++) {
        expect(rounds).toBeLessThan(1_000);
        read(5);
        now += 60_000;
        for (const resource of progress.ready(at(now))) attempt(resource, true);
      }
      // Each event is settled, and the first time of each is in the order of its resource.
      const first = [...new Set(settled)];
      for (const resource of new Set(resources)) {
        const inLog = events.filter((event) => event.resource === resource);
        expect(first.filter((event) => event.resource === resource)).toEqual(inLog);
      }
    }),
    { numRuns: 300 },
  );
});
