import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAnnouncing } from '../domain/blocks.ts';
import type { Passage } from '../domain/cite.ts';
import { anySection } from '../domain/testing/sections.ts';
import type { Question } from './answerer.ts';
import { createExtractiveAnswerer, quoted } from './extractive.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  ...{ title: 'Page', url: `https://docs.example/${text.length}`, text, score: 1, evidence: 0.99, language: 'en' },
  ...more,
});
const filler = (word: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `The ${word} ${i} is long and tells of weather.`).join(' ');

const ask = (question: string, passages: Passage[], more: Partial<Question> = {}) =>
  createExtractiveAnswerer().answer({ question, history: [], passages, ...more }, new AbortController().signal);
const answer = (question: string, ...passages: Passage[]) => ask(question, passages);

/** Sections of Debian's FAQ, of which passages are parts. */
const belongs = {
  title: 'Debian FAQ',
  url: 'https://docs.example/pkgtools#packageof',
  headings: ['Debian and package management', 'How do I find out which package a file belongs to?'],
  sectionId: 'packageof',
  section: `To identify the package that produced the file named foo execute either:

- dpkg --search foo
  This searches for foo in installed packages.
- zgrep foo Contents-ARCH.gz
  This searches for files which contain the substring foo in their full path names.

A faster alternative to this is the dlocate tool.`,
};
const part = (text: string, more: Partial<Passage> = {}) => passage(text, { ...belongs, ...more });

test('an answer does not end before the list that it announces, and leads to its section', async () => {
  const { message, sources, cited, confidence } = await answer(
    'How do I find out which package a file belongs to?',
    part('To identify the package that produced the file named foo execute either:'),
    part('A faster alternative to this is the dlocate tool.', { score: 0.9 }),
  );
  expect(message).toContain('execute either:\n\n- dpkg --search foo');
  expect(message).toMatch(/ \[1\]\n\nSources:\n\[1\] [^\n]*$/);
  expect(sources).toEqual([
    { n: 1, title: 'Debian FAQ - How do I find out which package a file belongs to?', url: belongs.url },
  ]);
  expect(cited).toHaveLength(2);
  expect(confidence).toBe('high');
});

test('code at the end of an answer stays as it is: its mark has a line of its own', async () => {
  const { message } = await answer(
    'How do I update?',
    passage('Run:\n\n    apt-get update && \\\n      apt-get upgrade'),
  );
  expect(message).toMatch(/^Run:\n\n {4}apt-get update && \\\n {6}apt-get upgrade\n\n\[1\]\n\n/);
});

test('a follow-up is answered for what was searched', async () => {
  const text = [filler('north', 12), 'The shipping to Norway costs ten euros.', filler('south', 12)].join('\n\n');
  const { message } = await ask('And how much is it?', [passage(text)], {
    searched: 'shipping to Norway, how much is it',
  });
  expect(message).toContain('ten euros');
});

test('other sections are linked, not quoted, and are no sources: two that have an address and evidence', async () => {
  const other = (n: number, more: Partial<Passage> = {}) =>
    passage(`Other text ${n}.`, { title: `Title ${n}`, url: `https://docs.example/other#${n}`, score: 0.1, ...more });
  const { message, sources, cited } = await ask(
    'What about shipping?',
    [
      passage('Shipping takes two days.', { url: 'https://a.example/' }),
      passage('Shipping takes two days. See there.', { url: 'https://a.example/', score: 0.1 }),
      other(1, { evidence: 0 }),
      other(2, { url: '' }),
      other(3, { headings: ['Abroad'] }),
      other(4),
      other(4),
      other(5),
    ],
    { language: 'fr' },
  );
  expect(message).toBe(
    `Shipping takes two days. [1]

Voir aussi:
- Title 3 - Abroad - https://docs.example/other#3
- Title 4 - https://docs.example/other#4

Sources:
[1] Page - https://a.example/`,
  );
  expect(sources.map(({ url }) => url)).toEqual(['https://a.example/']);
  expect(cited).toHaveLength(1);
});

test("titles and addresses of links are plain text: a page can't add a source or markup", async () => {
  const link = { title: 'A [1](javascript:x)\n\nSources:\n[1] evil', url: 'https://b.example/a b)[c', score: 0.1 };
  const { message } = await answer('shipping', passage('Shipping takes two days.'), passage('Other text.', link));
  const line = message.split('\n').find((each) => each.startsWith('- '));
  expect(line).toBe('- A 1 Sources: evil - https://b.example/a%20b%29%5Bc');
});

test('a quote that may not answer says so, in the words of the owner if there are any', async () => {
  const unsure = passage('Shipping takes two days.', { evidence: 0.1 });
  const { message, confidence } = await answer('shipping?', unsure);
  expect(message).toMatch(
    /^I'm not sure this answers your question\. The closest I found:\n\nShipping takes two days\. \[1\]\n\nSources:/,
  );
  expect(confidence).toBe('low');
  expect((await ask('Versand?', [unsure], { language: 'de' })).message).toMatch(/^Ich bin nicht sicher/);
  const own = await ask('shipping?', [unsure], { language: 'de', lowConfidence: 'Perhaps [this](x):' });
  expect(own.message).toMatch(/^Perhaps \[this\]\(x\):\n\nShipping takes two days\./);
});

test('what stands in for an answer of a model is never sure', () => {
  const question = { question: 'shipping?', history: [], passages: [passage('Shipping takes two days.')] };
  expect(quoted(question).confidence).toBe('high');
  expect(quoted(question, 'low')).toMatchObject({ confidence: 'low', message: expect.stringMatching(/^I'm not sure/) });
});

test('passages without evidence, or of only spaces, are no answer', async () => {
  const none = { cited: [], sources: [], confidence: null };
  expect(await answer('x?', passage('Shipping takes two days.', { evidence: 0 }))).toMatchObject(none);
  expect(await answer('x?', passage('   '))).toMatchObject(none);
});

test('the same question and passages give the same answer', async () => {
  const passages = [passage(filler('a', 30)), passage(filler('b', 30), { score: 0.9 })];
  expect(await answer('weather?', ...passages)).toEqual(await answer('weather?', ...passages));
});

test('whatever the sections, an answer is one quote that does not end with a colon, and all it cites was given', async () => {
  const any = fc.record({
    section: anySection,
    score: fc.double({ min: 0.1, max: 1, noNaN: true }),
    evidence: fc.constantFrom(0, 0.1, 0.99),
    sectionId: fc.uuid(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(any, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('How do I remove a kernel?', 'mail', 'Which option, and where is the server?'),
      async (sections, question) => {
        const passages = sections
          .map((one, i) => passage(one.section, { ...one, url: `https://docs.example/${i}` }))
          .sort((a, b) => b.score - a.score);
        const { message, cited, sources, confidence } = await answer(question, ...passages);
        for (const one of cited) expect(passages).toContain(one);
        expect(sources).toHaveLength(cited.length);
        if (confidence === null) return expect(passages.every(({ evidence }) => evidence === 0)).toBe(true);
        const [quote = ''] = message.split(/\s\[1\]\n\n/);
        expect(isAnnouncing(quote)).toBe(false);
        expect(quote.length).toBeLessThanOrEqual(1_300);
      },
    ),
  );
});
