import { expect, test } from '@jest/globals';
import { readInspected } from './inspect.ts';

test('a process is debugged by name, all of them without one, and none by default', () => {
  expect([['--inspect=knowledge'], ['--inspect'], []].map(readInspected)).toEqual(['knowledge', 'all', undefined]);
});

test('an unknown process or option is refused with what is known', () => {
  expect(() => readInspected(['--inspect=knowlege'])).toThrow(/no such process.*knowledge/);
  expect(() => readInspected(['--inspct'])).toThrow("Unknown option '--inspct'");
});
