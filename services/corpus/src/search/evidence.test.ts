import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf } from './evidence.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const features = fc.record(
  {
    similarity: fc.double({ min: -3, max: 3, noNaN: true }),
    prominence: fc.double({ min: -3, max: 3, noNaN: true }),
    coverage: share,
    above: share,
    missingNames: share,
    missingUnit: fc.boolean(),
    unknownWords: share,
    length: fc.integer({ min: 0, max: 8 }),
  },
  { requiredKeys: ['coverage', 'above', 'missingNames', 'missingUnit', 'unknownWords', 'length'] },
);

test('evidence is from 0 to 1, and grows with similarity and coverage, not with what is missing', () => {
  fc.assert(
    fc.property(features, share, (passage, more) => {
      const evidence = evidenceOf(passage);
      expect(evidence).toBeGreaterThanOrEqual(0);
      expect(evidence).toBeLessThanOrEqual(1);
      for (const field of ['coverage', 'above'] as const)
        expect(evidenceOf({ ...passage, [field]: passage[field] + more })).toBeGreaterThanOrEqual(evidence);
      for (const field of ['similarity', 'prominence'] as const)
        if (passage[field] !== undefined)
          expect(evidenceOf({ ...passage, [field]: passage[field] + more })).toBeGreaterThanOrEqual(evidence);
      for (const field of ['missingNames', 'unknownWords'] as const)
        expect(evidenceOf({ ...passage, [field]: passage[field] + more })).toBeLessThanOrEqual(evidence);
      expect(evidenceOf({ ...passage, missingUnit: true })).toBeLessThanOrEqual(evidence);
    }),
  );
});
