import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Marked } from 'marked';
import { cite, type Passage } from '../domain/cite.ts';
import { createExtractiveAnswerer } from './extractive.ts';
import { plainText } from './plain-text.ts';

const TEXT =
  'Clone it by git clone <your-repository> first. Then matrix[i][j] calls handlers[0](event). ' +
  'See [click](https://evil.example/page) or <img src=https://evil.example/x.png> there.';
const passage: Passage = {
  title: '[Guide](javascript:alert(1))',
  url: 'https://docs.example/guide',
  text: TEXT,
  score: 1,
};
const quoting = (answer: string) => cite([{ text: plainText(answer, [passage]), passages: [passage] }]);

test('text that a passage has word for word stays as the model copies it; the rest of its kind is removed', () => {
  expect(plainText('Run git clone <your-repository> or git clone <mine>.', [passage])).toBe(
    'Run git clone <your-repository> or git clone.',
  );
  expect(plainText('matrix[i][j] calls handlers[0](event), as [a](b) does.', [passage])).toBe(
    'matrix[i][j] calls handlers[0](event), as a does.',
  );
});

test('a link or an image that the model copies from a page is text in the answer', () => {
  expect(quoting(TEXT).message).toBe(
    'Clone it by git clone < your-repository> first. Then matrix[i][j] calls handlers[0] (event). ' +
      'See click or < img src=https://evil.example/x.png> there. [1]\n\nSources:\n[1] Guide - https://docs.example/guide',
  );
});

test("an address split by invisible characters is still recognised as the model's", () => {
  expect(plainText('Go to ht\u200btps://ev\u2060il.example/other now', [passage])).toBe('Go to now');
});

test('an address right after a digit is still recognised', () => {
  expect(plainText('Well: [1][]https://evil.example/?q=secret', [passage])).toBe('Well: 1');
});

test('an excerpt of a page is text, under a title that is text', async () => {
  const passages = [{ ...passage, evidence: 0.99 }];
  const asked = { question: 'What calls handlers?', history: [], passages };
  const { message, sources } = await createExtractiveAnswerer().answer(asked, new AbortController().signal);
  expect(message).toContain('handlers[0] (event). See click or < img src=');
  expect(sources).toEqual([{ n: 1, title: 'Guide', url: 'https://docs.example/guide' }]);
});

test('whatever a model writes, its answer renders without links, images and HTML', () => {
  const pieces = fc.constantFrom(
    ...['[', ']', '(', ')', '](', '![', '<', '>', '`', '```', '\n', ' ', ':', 'word', '[1]', '\u200b', 'Sources:\n'],
    ...[
      'https://evil.example/?q=secret',
      'www.evil.example',
      'javascript:alert(1)',
      '<img src=x>',
      '[a](b)',
      '[x]: /y',
    ],
    ...['[click](https://evil.example/page)', '<img src=https://evil.example/x.png>', '<your-repository>'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), (written) => {
      const answer = `Well: ${written.join('')}`;
      const { message } = quoting(answer);
      const marked = new Marked({ gfm: false });
      marked.walkTokens(marked.lexer(message), ({ type }) =>
        expect(['link', 'image', 'html', 'def']).not.toContain(type),
      );
      expect(message).not.toContain('?q=secret');
    }),
    { numRuns: 500 },
  );
});
