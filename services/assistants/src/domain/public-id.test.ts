import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { publicId } from './public-id.ts';

test('a public id is 12 characters of base62, the same on every retry, different for every attempt', () => {
  const operation = randomId();
  const ids = Array.from({ length: 200 }, (_, attempt) => publicId(operation, attempt));
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{12}$/);
  expect(new Set(ids).size).toBe(200);
  expect(publicId(operation, 7)).toBe(ids[7]);
});
