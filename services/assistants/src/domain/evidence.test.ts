import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf } from './evidence.ts';

const passage = (evidence: number) => ({ evidence });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('without enough evidence in any passage there is nothing to answer from', () => {
  expect(evidenceOf([passage(0.49), passage(0.2)])).toEqual([]);
  expect(evidenceOf([])).toEqual([]);
});

test('passages far behind the best one are left out; the others keep their order', () => {
  const [best, close, far] = [passage(0.9), passage(0.6), passage(0.2)];
  expect(evidenceOf([close, far, best])).toEqual([close, best]);
});

test('more evidence never turns evidence into none', () => {
  fc.assert(
    fc.property(fc.array(share, { maxLength: 8 }), share, (shares, more) => {
      const passages = shares.map(passage);
      if (evidenceOf(passages).length > 0) expect(evidenceOf([...passages, passage(more)]).length).toBeGreaterThan(0);
    }),
  );
});
