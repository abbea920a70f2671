import { expect, test } from '@jest/globals';
import { watchMachine } from './machine.ts';

test('a share of the processor time is stolen, and the same work takes some of it', () => {
  const take = watchMachine();
  for (const { stolen, workMs } of [take(), take()]) {
    expect(stolen).toBeGreaterThanOrEqual(0);
    expect(stolen).toBeLessThanOrEqual(1);
    expect(workMs).toBeGreaterThan(0);
  }
});
