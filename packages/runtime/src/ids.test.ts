import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deriveId, isUuid, randomId } from './ids.ts';

test('random and derived ids are UUIDs', () => {
  expect(isUuid(randomId())).toBe(true);
  fc.assert(fc.property(fc.array(fc.string()), (parts) => isUuid(deriveId(...parts))));
});

test('equal parts give equal ids, different parts give different ones, wherever they are split', () => {
  const parts = fc.array(fc.string({ unit: fc.constantFrom('a', '1', ':', 'é') }), { maxLength: 4 });
  fc.assert(
    fc.property(
      parts,
      parts,
      (a, b) => (deriveId(...a) === deriveId(...b)) === (JSON.stringify(a) === JSON.stringify(b)),
    ),
  );
});

test('a derived id never changes between versions of the product', () => {
  expect(deriveId('operation', 'step')).toBe('c4ddc247-53e4-8204-8fb4-0bca160fbceb');
});

test('anything but a UUID in lower case is refused', () => {
  const id = randomId();
  for (const text of ['', 'x', id.toUpperCase(), `${id} `, id.slice(1), id.replaceAll('-', '')]) {
    expect(isUuid(text)).toBe(false);
  }
});
