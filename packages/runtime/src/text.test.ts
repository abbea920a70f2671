import { expect, test } from '@jest/globals';
import { boundedText, requiredText } from './text.ts';

test('text is returned as it was sent', () => {
  expect(requiredText('title', ' padded ', 200)).toBe(' padded ');
  expect(boundedText('description', ' ', 200)).toBe(' ');
});

test('a limit counts code points, not UTF-16 units', () => {
  expect(requiredText('title', '🙂'.repeat(1_000), 1_000)).toHaveLength(2_000);
  for (const long of ['🙂'.repeat(1_001), 'x'.repeat(1_001), 'x'.repeat(100_000)])
    expect(() => requiredText('title', long, 1_000)).toThrow('title must have at most 1,000 characters.');
});

test('required text that is blank is refused by the name of its field', () => {
  for (const blank of ['', ' \n', '\u3000'])
    expect(() => requiredText('message', blank, 10)).toThrow('message must not be blank.');
});
