import type { Document } from 'mongodb';
import { outbox } from './outbox.ts';
import { compute } from './write.ts';

/** The last event about a limit, until much less is used. */
const [NEAR, REACHED] = [1, 2] as const;

/** By the name of what is counted. */
export type Announced = Record<string, number>;

/** Share of a limit from which it is near. */
export const NEAR_SHARE = 0.8;
/** Share below which there will be an event again: less, so that a few changes to and fro are no news. */
const AGAIN_SHARE = 0.7;

/** Returns whether a change may need an event, or may end what the last one has said. */
export const isNear = (most: number, used: number, announced: number | undefined): boolean =>
  Number.isFinite(most) && (used >= most * AGAIN_SHARE || Boolean(announced));

export const quotaPassed = (name: string, limit: number, window: 'none' | 'day', reached: boolean, used: unknown) =>
  ({ payload: { case: 'quotaPassed', value: { name, limit, window, reached } }, computed: { used } }) as const;

/** Stages for a document with `used`, by name: an event if what is used of a limit has come near it, or has reached it. */
export function announcements(name: string, most: number): Document[] {
  const used = `$used.${name}`;
  const announced = { $ifNull: [`$announced.${name}`, 0] };
  const higher = { $cond: [{ $gte: [used, most * NEAR_SHARE] }, { $max: [announced, NEAR] }, announced] };
  const now = { $cond: [{ $gte: [used, most] }, REACHED, higher] };
  const level = { $cond: [{ $lt: [used, most * AGAIN_SHARE] }, 0, now] };
  return announce(name, most, level);
}

/** The same, where more than what is left was asked for. */
export const reached = (name: string, most: number): Document[] => announce(name, most, REACHED);

function announce(name: string, most: number, level: unknown): Document[] {
  const announced = { $ifNull: [`$announced.${name}`, 0] };
  const isNews = (of: number) => ({ $and: [{ $eq: [level, of] }, { $lt: [announced, of] }] });
  const events = [NEAR, REACHED].flatMap((of) => {
    const { payload, computed } = quotaPassed(name, most, 'none', of === REACHED, `$used.${name}`);
    return outbox(payload, { when: isNews(of), computed });
  });
  return [...events, compute({ [`announced.${name}`]: level })];
}
