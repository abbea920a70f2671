import { expect, test } from '@jest/globals';
import { checkDomains, checkTitle } from './chatbot.ts';

test('domains are normalised as browsers do, without duplicates', () => {
  expect(
    checkDomains([
      'Shop.Example',
      'shop.example',
      '*.Shop.example',
      'localhost:3000',
      'LOCALHOST',
      '127.0.0.1:8080',
      '[::1]',
      '[0:0:0:0:0:0:0:1]:80',
      'bücher.example',
      ' padded.example ',
    ]),
  ).toEqual([
    'shop.example',
    '*.shop.example',
    'localhost:3000',
    'localhost',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:80',
    'xn--bcher-kva.example',
    'padded.example',
  ]);
});

test('a scheme, a path, a wildcard elsewhere and anything else that is not a host is refused by name', () => {
  const wrong = [
    'https://shop.example',
    'shop.example/',
    'shop.example/help',
    '//shop.example',
    '',
    '*',
    '*.',
    'a.*.example',
    '*.shop.example:80',
    '*.[::1]',
    'shop.example:0',
    'shop.example:65536',
    'shop.example:',
    'user@shop.example',
    'two words.example',
    '-a.example',
    'a..example',
    'shop.example.',
    '[::g]',
    '::1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
  ];
  for (const entry of wrong)
    expect(() => checkDomains(['fine.example', entry])).toThrow(JSON.stringify(entry.slice(0, 100)));
  expect(() => checkDomains(Array.from({ length: 101 }, (_, i) => `h${i}.example`))).toThrow('100');
});

test('a title has 1 to 200 code points and is not blank', () => {
  for (const title of ['x', '🙂'.repeat(200), ' padded ']) expect(checkTitle(title)).toBe(title);
  for (const title of ['', ' \n', '🙂'.repeat(201)]) expect(() => checkTitle(title)).toThrow('title');
});
