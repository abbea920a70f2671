import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAnnouncing } from '../domain/blocks.ts';
import type { Passage } from '../domain/cite.ts';
import { anySection } from '../domain/testing/sections.ts';
import type { Question } from './answerer.ts';
import { createExtractiveAnswerer } from './extractive.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  title: 'Page',
  url: `https://docs.example/${text.length}`,
  text,
  score: 1,
  ...more,
});
const filler = (word: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `The ${word} ${i} is long and tells of weather.`).join(' ');

const ask = (question: string, passages: Passage[], more: Partial<Question> = {}) =>
  createExtractiveAnswerer().answer({ question, history: [], passages, ...more }, new AbortController().signal);
const answer = (question: string, ...passages: Passage[]) => ask(question, passages);
const body = async (question: string, ...passages: Passage[]) =>
  (await answer(question, ...passages)).message.split('\n\nSources:')[0]!;

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
const codenames = {
  title: 'Debian FAQ',
  url: 'https://docs.example/ftparchives#sourceforcodenames',
  headings: ['The Debian archives', 'Where do the codenames come from?'],
  sectionId: 'codenames',
  section: `So far they have been characters taken from the "Toy Story" movies by Pixar.

- buzz (Debian 1.1) was the spaceman Buzz Lightyear,
- rex (Debian 1.2) was the tyrannosaurus,
- bo (Debian 1.3) was Bo Peep, the girl who took care of the sheep.`,
};
const part = (of: typeof belongs, text: string, more: Partial<Passage> = {}) => passage(text, { ...of, ...more });

test('an answer does not end before the command that it announces: the package a file belongs to', async () => {
  const said = await body(
    'How do I find out which package a file belongs to?',
    part(belongs, 'To identify the package that produced the file named foo execute either:'),
  );
  expect(said).toBe(`${belongs.section} [1]`);
});

test('a list comes with the sentence that says what it lists: what Debian releases are named after', async () => {
  const said = await body(
    'What are the names of Debian releases taken from?',
    part(codenames, '- rex (Debian 1.2) was the tyrannosaurus,'),
  );
  expect(said).toContain('characters taken from the "Toy Story" movies');
  expect(said).toContain('- bo (Debian 1.3)');
});

test('several passages of one section are one quote with one source, which names page and heading', async () => {
  const { message, sources, cited } = await answer(
    'Which package does a file belong to?',
    part(belongs, '- dpkg --search foo'),
    part(belongs, 'A faster alternative to this is the dlocate tool.', { score: 0.9 }),
  );
  expect(message).toMatch(/ \[1\]\n\nSources:\n\[1\] [^\n]*$/);
  expect(sources).toEqual([
    { n: 1, title: 'Debian FAQ - How do I find out which package a file belongs to?', url: belongs.url },
  ]);
  expect(cited).toHaveLength(2);
});

test('a question with two parts is answered from two sections, each with its source', async () => {
  const [find, names] = [part(belongs, '- dpkg --search foo'), part(codenames, '- rex (Debian 1.2)', { score: 0.7 })];
  const { message, sources } = await ask(
    'Which package does a file belong to, and where do the codenames come from?',
    [find, names],
    {
      parts: [
        { question: 'Which package does a file belong to', passages: [find] },
        { question: 'where do the codenames come from?', passages: [names] },
      ],
    },
  );
  expect(message).toContain('dpkg --search foo');
  expect(message).toContain('Toy Story');
  expect(sources.map(({ url }) => url)).toEqual([belongs.url, codenames.url]);
});

test('the answer of an FAQ item comes back whole', async () => {
  const section = Array.from({ length: 80 }, (_, i) => `Step ${i} of the whole is to wait a little longer.`).join(
    '\n\n',
  );
  const item = passage('Step 40 of the whole is to wait.', { title: 'How long?', section, isFaq: true, url: '' });
  expect(section.length).toBeGreaterThan(3_000);
  const { message } = await answer('How long?', item);
  expect(message).toBe(`${section} [1]\n\nSources:\n[1] How long?`);
});

test('code at the end of an answer stays as it is: its mark has a line of its own', async () => {
  const said = await body('How do I update?', passage('Run:\n\n    apt-get update && \\\n      apt-get upgrade'));
  expect(said).toBe('Run:\n\n    apt-get update && \\\n      apt-get upgrade\n\n[1]');
});

test('of a long section, the blocks around the words of the question are quoted whole', async () => {
  const text = [filler('north', 40), 'Refunds are paid within 14 days. Write to the desk.', filler('south', 40)].join(
    '\n\n',
  );
  const said = await body('When is a refund paid?', passage(text));
  expect(said).toContain('Refunds are paid within 14 days. Write to the desk.');
  expect(said.length).toBeLessThan(2_100);
});

test('a follow-up is answered for what was searched', async () => {
  const text = [filler('north', 40), 'The shipping to Norway costs ten euros.', filler('south', 40)].join('\n\n');
  const { message } = await ask('And how much is it?', [passage(text)], {
    searched: 'shipping to Norway, how much is it',
  });
  expect(message).toContain('ten euros');
});

test('a second section is quoted if it is about as good and says something else', async () => {
  const first = passage('Shipping takes two days.', { url: 'https://a.example/' });
  const second = passage('Shipping abroad costs ten euros.', { url: 'https://b.example/', score: 0.95 });
  const { message, sources } = await answer('What about shipping?', first, second);
  expect(message).toContain('two days. [1]\n\nShipping abroad costs ten euros. [2]\n\nSources:');
  expect(sources.map((s) => s.url)).toEqual(['https://a.example/', 'https://b.example/']);
});

test('the same question and passages give the same answer', async () => {
  const passages = [passage(filler('a', 30)), passage(filler('b', 30), { score: 0.9 })];
  expect(await answer('weather?', ...passages)).toEqual(await answer('weather?', ...passages));
});

test('passages of only spaces are no answer; one of an endless word is', async () => {
  expect(await answer('x?', passage('   '))).toMatchObject({ cited: [], sources: [] });
  expect((await body('x?', passage('x'.repeat(5_000)))).length).toBeLessThanOrEqual(2_010);
});

test('whatever the sections, no answer ends with a colon or is longer than three quotes, and all it cites was given', async () => {
  const any = fc.record({
    section: anySection,
    score: fc.double({ min: 0.1, max: 1, noNaN: true }),
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
        const { message, cited } = await answer(question, ...passages);
        const [quotes = ''] = message.split('\n\nSources:');
        for (const quoted of quotes.split(/\s\[\d\](?:\n\n|$)/)) expect(isAnnouncing(quoted)).toBe(false);
        expect(quotes.length).toBeLessThanOrEqual(4_050);
        for (const one of cited) expect(passages).toContain(one);
      },
    ),
  );
});
