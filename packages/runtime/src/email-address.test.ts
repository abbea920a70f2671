import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emailAddress, isEmailAddress, normalAddress } from './email-address.ts';
import { cpuMs } from './testing/index.ts';

test.each([
  'ann@example.com',
  "o'brien+tag.x_1@mail.example.co.uk",
  'a@b.c',
  '用户@例子.公司',
  'x@xn--fsq.example',
  `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(63)}`,
])('%s is an email address', (address) => {
  expect(isEmailAddress(address)).toBe(true);
  expect(emailAddress('email', address)).toBe(address);
});

test.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@example..com',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  'ann@-example.com',
  'ann@example-.com',
  'ann@example.com.',
  'ann @example.com',
  'ann@example.com\r\nBcc: all@example.com',
  ' ann@example.com',
  'Ann <ann@example.com>',
  'a@b@example.com',
  'a,b@example.com',
  'ann@[127.0.0.1]',
  '"ann"@example.com',
  `${'l'.repeat(65)}@example.com`,
  `ann@${'d'.repeat(64)}.com`,
])('%j is not an email address', (text) => {
  expect(() => emailAddress('email', text)).toThrow('email must be an email address');
});

test('an address of more than 320 characters is refused by its length', () => {
  expect(() => emailAddress('email', `a@${'d.'.repeat(200)}com`)).toThrow('email must have at most 320 characters.');
});

test('no text, however long, takes long to check', () => {
  const check = () => {
    for (const unit of ['a', 'a.', 'a-', '@', '.']) isEmailAddress(`${unit.repeat(100_000)}@${unit.repeat(100_000)}`);
    fc.assert(fc.property(fc.string({ maxLength: 330 }), (text) => typeof isEmailAddress(text) === 'boolean'));
  };
  expect(cpuMs(check)).toBeLessThan(5_000);
});

test('upper and lower case, and composed and decomposed letters, are the same address', () => {
  expect(normalAddress('Bob@Example.COM')).toBe('bob@example.com');
  expect(normalAddress('Jose\u0301@example.com')).toBe(normalAddress('JOSÉ@example.com'));
});
