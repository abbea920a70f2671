import { expect, test } from '@jest/globals';
import { joinChunks } from './join-chunks.ts';

test('joined chunks have each lead-in once, whichever chunk is the first', () => {
  const lead = 'What does not work:';
  const first = { text: `${lead}\n- a` };
  const second = { text: `${lead}\n- b`, joint: { repeated: lead.length + 1, separator: '\n' } };
  const third = { text: 'Ask us.' };
  expect(joinChunks([first, second, third])).toBe(`${lead}\n- a\n- b\n\nAsk us.`);
  expect(joinChunks([second, third])).toBe(`${lead}\n- b\n\nAsk us.`);
  expect(joinChunks([])).toBe('');
});
