import { expect, test } from '@jest/globals';
import { until } from '../testing/until.ts';
import { createLatestAnswer } from './latest-answer.ts';

const pauses = { firstPauseMs: 1, longestPauseMs: 4 };

/** A server that a test takes away, and all that was noted of it. */
function watched() {
  const noted: boolean[] = [];
  const server = { isUp: false, asked: 0 };
  const latest = createLatestAnswer(
    (isUp) => noted.push(isUp),
    async () => {
      server.asked++;
      if (!server.isUp) throw new Error('unavailable');
    },
    pauses,
  );
  return { noted, server, latest };
}

test('a server that has failed is asked until it answers, and then no more, and again after the next failure', async () => {
  const { noted, server, latest } = watched();
  for (let outage = 1; outage <= 2; outage++) {
    const before = server.asked;
    server.isUp = false;
    latest.answered(false);
    latest.answered(false);
    await until(
      async () => server.asked - before,
      (asked) => asked >= 3,
    );
    server.isUp = true;
    await until(
      async () => noted.at(-1),
      (isUp) => isUp === true,
    );
  }
  expect(noted).toEqual([false, false, true, false, false, true]);
});

test('a server that answers a request meanwhile is not asked', async () => {
  const { noted, server, latest } = watched();
  latest.answered(false);
  latest.answered(true);
  await latest.stop();
  expect([noted, server.asked]).toEqual([[false, true], 0]);
});

test('stopping ends a question that hangs', async () => {
  let asked = false;
  const hangs = (signal: AbortSignal) => {
    asked = true;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const latest = createLatestAnswer(() => {}, hangs, pauses);
  latest.answered(false);
  await until(() => asked);
  await latest.stop();
});
