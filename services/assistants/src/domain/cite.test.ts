import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cite, withoutCitations } from './cite.ts';

const page = (title: string, url = `https://${title.toLowerCase()}.example/`) => ({ title, url });

test('sources are numbered as they are first cited, and listed at the end', () => {
  const { message, sources } = cite([
    { text: 'One.', passages: [page('B')] },
    { text: 'Two.', passages: [page('A'), page('B')] },
  ]);
  expect(message).toBe('One. [1]\n\nTwo. [2][1]\n\nSources:\n[1] B - https://b.example/\n[2] A - https://a.example/');
  expect(sources).toEqual([
    { n: 1, title: 'B', url: 'https://b.example/' },
    { n: 2, title: 'A', url: 'https://a.example/' },
  ]);
});

test('the cited passages are the given objects, each once, also those of the same page', () => {
  const [a, same, b] = [page('A'), page('A'), page('B')];
  const { cited } = cite([
    { text: 'One.', passages: [b, a] },
    { text: 'Two.', passages: [same, b] },
  ]);
  expect(cited.map((passage) => [a, same, b].indexOf(passage as typeof a))).toEqual([2, 0, 1]);
});

test('passages of one page are one source; one without an address is identified by its title', () => {
  const { message, sources } = cite([
    { text: 'One.', passages: [page('A'), page('A')] },
    { text: 'Two.', passages: [page('Open?\n on Sundays', ''), page('', 'https://c.example/'), page('', '')] },
  ]);
  expect(sources.map((s) => s.n)).toEqual([1, 2, 3, 4]);
  expect(message).toContain('One. [1]\n');
  expect(message).toMatch(/\[2\] Open\? on Sundays\n\[3\] https:\/\/c\.example\/\n\[4\] Untitled$/);
});

test('text that looks like a mark is not mistaken for one; an index in code stays', () => {
  const { message } = cite([
    { text: 'Known since 1990. [7][8] Cited.[12] Use $list[0] or [3](x).', passages: [page('A')] },
  ]);
  expect(message.split('\n')[0]).toBe('Known since 1990. Cited. Use $list[0] or (3)(x). [1]');
});

test('every mark has its source and every source its mark', () => {
  const passage = fc.record({
    title: fc.string({ maxLength: 5 }),
    url: fc.constantFrom('', 'https://u/1', 'https://u/2', 'https://u/3'),
  });
  const statement = fc.record({
    text: fc.constantFrom('A.', 'B [9].', ''),
    passages: fc.array(passage, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 4 }), (statements) => {
      const { message, sources } = cite(statements);
      const [body = ''] = message.split(/(?:^|\n\n)Sources:\n/);
      const marks = new Set([...body.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)));
      expect([...marks].sort((a, b) => a - b)).toEqual(sources.map((s) => s.n));
    }),
  );
});

test('a model sees an earlier answer without its marks and its list of sources', () => {
  const { message } = cite([
    { text: 'One.', passages: [page('A')] },
    { text: 'Two.', passages: [page('B'), page('A')] },
  ]);
  expect(withoutCitations(message)).toBe('One.\n\nTwo.');
  expect(withoutCitations('Sources: none.')).toBe('Sources: none.');
});
