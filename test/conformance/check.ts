import { expect } from '@jest/globals';
import { type Answer, must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';

export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const PUBLIC_ID = expect.stringMatching(/^[\w-]{4,24}$/);
/** A sentence that a person can read. */
export const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/s);

/** Expects exactly this data, and returns it. */
export function expectData<T>(answer: Answer<T>, data: unknown): T {
  expect(answer.body).toEqual({ success: true, data });
  return answer.body.data;
}

/** Expects a success without data. */
export const expectDone = (answer: Answer<unknown>): void => expect(answer.body).toEqual({ success: true });

/** Expects a refusal whose message names all of `words`. */
export function expectRefused(answer: Answer<unknown>, status: number, ...words: string[]): void {
  const { message, success } = answer.body;
  expect({ status: answer.status, success, message }).toEqual({ status, success: false, message: expect.any(String) });
  for (const word of words) expect(message.toLowerCase()).toContain(word.toLowerCase());
}

/** A page that holds the whole list. */
export const whole = (items: unknown[]) => ({ items, total: items.length, has_more: false });

/** Expects the fields of `required`, and otherwise only fields that `optional` names. */
export function expectFields(value: unknown, required: Record<string, unknown>, optional: string[] = []): void {
  expect(value).toMatchObject(required);
  const others = Object.keys(value as object).filter((key) => !(key in required));
  expect(others.filter((key) => !optional.includes(key))).toEqual([]);
}

/** Expects a page with the contract's fields and no others, and returns its items. */
export function pageOf<T>(answer: Answer<Page<T>>): Page<T> {
  const page = must(answer);
  expect(page).toEqual({
    items: expect.any(Array),
    total: expect.any(Number),
    has_more: expect.any(Boolean),
    ...(page.has_more && { next_cursor: expect.stringMatching(/^[\w~.-]+$/) }),
  });
  return page;
}

/** Emoji of two UTF-16 units, to tell code points from code units. */
export const emoji = (codePoints: number): string => '🙂'.repeat(codePoints);

export const NEVER_TRAINED = { trained_at: null, training_failed_at: null, training_failed_with: null };
const COUNT = expect.any(Number);
/** Fields of an item about a training that has ended. */
export const LAST_TRAINING = {
  started_at: TIME,
  ended_at: TIME,
  embedded: COUNT,
  reused: COUNT,
  calls: COUNT,
  tokens: COUNT,
};
/**
 * The fields of every knowledge item; `live_since`, `training_notes`, `last_training` and, during a training, `training`
 * are extensions.
 */
/** A trained source that search can find. */
export const SOURCE = {
  faq_item_id: null,
  state: 'trained',
  reason: null,
  bytes: expect.any(Number),
  chunks: 1,
  title: expect.any(String),
  kept: null,
  trained_at: TIME,
  training_failed_at: null,
};

export const UNTRAINED = {
  ...NEVER_TRAINED,
  is_training: false,
  live_since: null,
  training_notes: [],
  last_training: null,
};
export const TRAINED = { ...UNTRAINED, trained_at: TIME, live_since: TIME, last_training: LAST_TRAINING };
export const RUNNING = {
  ...UNTRAINED,
  is_training: true,
  training: {
    state: expect.stringMatching(/^(queued|running)$/),
    sources_found: expect.any(Number),
    sources_done: expect.any(Number),
    chunks: expect.any(Number),
  },
};
