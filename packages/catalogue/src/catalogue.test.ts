import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { CATALOGUE, EVENT_NAMES, isEventName } from './index.ts';

test.each(EVENT_NAMES)('the example of %s is of its schema, and has nothing else', (name) => {
  const { data, example, version, summary } = CATALOGUE[name];
  expect(z.strictObject(data.shape).parse(example)).toEqual(example);
  expect(version).toBeGreaterThan(0);
  expect(summary).toMatch(/^[A-Z].*\.$/);
});

test('names are a thing and what became of it', () => {
  for (const name of EVENT_NAMES) expect(name).toMatch(/^[a-z]+\.[a-z_]+$/);
  expect(isEventName('chat.begun')).toBe(true);
  for (const unknown of ['', 'chat', 'constructor', '__proto__', 'chat.begun '])
    expect(isEventName(unknown)).toBe(false);
});

test('no event has a text that people have written: ids, numbers, dates and names of states only', () => {
  for (const name of EVENT_NAMES)
    for (const [field, schema] of Object.entries(z.toJSONSchema(CATALOGUE[name].data).properties ?? {})) {
      const { type, format, enum: values } = schema as { type: string; format?: string; enum?: string[] };
      const isText = type === 'string' && format === undefined && values === undefined;
      // Quotas have names that we gave them.
      expect([name, field, isText && !name.startsWith('quota.')]).toEqual([name, field, false]);
    }
});
