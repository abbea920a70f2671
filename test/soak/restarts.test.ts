import { expect, test } from '@jest/globals';
import { turn } from './restarts.ts';

test.each([2, 3, 6])('each of %d processes is restarted in turn, by each signal every other time', (count) => {
  const processes = Array.from({ length: count }, (_, i) => i);
  const turns = Array.from({ length: 2 * count }, (_, n) => turn(processes, n));
  expect(turns.map(({ process }) => process)).toEqual([...processes, ...processes]);
  for (const each of processes) {
    const signals = turns.filter(({ process }) => process === each).map(({ signal }) => signal);
    expect(signals.sort()).toEqual(['SIGKILL', 'SIGTERM']);
  }
});
