import { expect, test } from '@jest/globals';
import { withoutThoughts } from './thoughts.ts';

function read(text: string, size: number, isHeld = false) {
  let written = '';
  const thoughts = withoutThoughts({ write: (part) => (written += part), restart: () => (written = '') }, isHeld);
  for (let at = 0; at < text.length; at += size) thoughts.push(text.slice(at, at + size));
  const early = written;
  thoughts.end();
  return { written, early };
}

test.each([
  ['<think>Hm.</think>At nine.', 'At nine.'],
  ['<thinking>\nHm.\n</thinking>\n\nAt <THINK>x</THINK>nine.', '\n\nAt nine.'],
  ['<think>Hm. It never ends', ''],
  ['Hm. It was never opened.</think>At nine.', 'At nine.'],
  ['5 < 6 and <b>bold</b> <', '5 < 6 and <b>bold</b> <'],
])('thoughts are left out, however they are split: %j', (text, rest) => {
  for (const size of [1, 2, 3, 5, 100]) expect(read(text, size).written).toBe(rest);
});

test('text is passed on as it comes, or held until a thought has ended', () => {
  expect(read('At nine. It never', 1).early).toBe('At nine. It never');
  expect(read('At nine. It never', 1, true)).toEqual({ early: '', written: 'At nine. It never' });
  expect(read('Hm.</think>At nine.', 1, true)).toEqual({ early: 'At nine.', written: 'At nine.' });
});
