import { expect, test } from '@jest/globals';
import { createLog } from './log.ts';
import { textLines } from './log-text.ts';

function capture() {
  const lines: string[] = [];
  let ms = 0;
  const destination = textLines(
    (text) => lines.push(text),
    () => ms,
  );
  const log = createLog('trainer', 'info', 'text', destination);
  const later = (by: number) => {
    ms += by;
  };
  return { lines, log, later };
}

test('an error is one line that names the service, what failed and why, without its stack', () => {
  const { lines, log } = capture();
  log.error({ err: new Error('could not store\nit', { cause: new Error('the disk is full') }) }, 'a round failed');
  expect(lines).toEqual(['trainer: a round failed: could not store it: the disk is full\n']);
});

test('the same text appears once a minute, a different one at once', () => {
  const { lines, log, later } = capture();
  for (let i = 0; i < 59; i++) {
    log.error('a round failed');
    later(1_000);
  }
  log.error('another round failed');
  expect(lines).toHaveLength(2);
  later(1_000);
  log.error('a round failed');
  expect(lines).toHaveLength(3);
});
