import { expect, test } from '@jest/globals';
import { parseUrl } from './parse-url.ts';

test('an address with letters beyond ASCII stays valid, however often it is parsed', () => {
  const wrong = Array.from({ length: 20_000 }, () => parseUrl('https://exämple.com/ü')).filter((url) => !url);
  expect(wrong).toEqual([]);
});

test('an invalid address is undefined', () => {
  for (const text of ['', 'example.com', 'http://', 'https://[::1']) expect(parseUrl(text)).toBeUndefined();
  expect(parseUrl('/a', 'https://example.com')?.href).toBe('https://example.com/a');
});
