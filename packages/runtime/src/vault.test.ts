import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { seal, unseal } from './vault.ts';

const key = randomBytes(32);

test('what is sealed opens again, and two seals of one text differ', () => {
  const [first, second] = [seal(key, 'id', 'tëxt'), seal(key, 'id', 'tëxt')];
  expect(first.equals(second)).toBe(false);
  expect([first, second].map((bytes) => unseal([key], 'id', bytes))).toEqual(['tëxt', 'tëxt']);
});

test('another key, another id, a changed bit and a cut end are refused', () => {
  const sealed = seal(key, 'id', 'text');
  expect(() => unseal([randomBytes(32)], 'id', sealed)).toThrow();
  expect(() => unseal([key], 'other', sealed)).toThrow();
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i]! ^= 1;
    expect(() => unseal([key], 'id', changed)).toThrow();
    expect(() => unseal([key], 'id', sealed.subarray(0, i))).toThrow();
  }
});
