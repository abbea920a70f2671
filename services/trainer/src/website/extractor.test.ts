import { afterAll, expect, test } from '@jest/globals';
import { LoadError } from '../http/load-error.ts';
import { createExtractor } from './extractor.ts';

const extractor = createExtractor({ timeoutMs: 3000 });
afterAll(() => extractor.close());

test('hostile HTML is given up in time, and the pages after it are read', async () => {
  const attributes = Array.from({ length: 200_000 }, (_, i) => `a${i}`).join(' ');
  const hostile = extractor.extract(`<a ${attributes}>`, 'http://example.org/');
  const next = extractor.extract('<p>fine', 'http://example.org/');
  await expect(hostile).rejects.toThrow(LoadError);
  await expect(hostile).rejects.toThrow('could not be found within 3 seconds');
  expect((await next).text).toBe('fine');
});
