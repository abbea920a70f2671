import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAnnouncing, unitsOf } from './blocks.ts';
import { quote } from './quote.ts';
import { anySection } from './testing/sections.ts';
import { contentWords } from './words.ts';

const wanted = (question: string, limit: number, found: string[] = []) => ({
  words: new Map(contentWords(question).map((word) => [word, 1])),
  wordsOf: contentWords,
  found,
  limit,
});
const filler = (sentences: number, word = 'weather') =>
  Array.from({ length: sentences }, (_, i) => `Sentence ${i} tells of ${word}.`).join(' ');

const fromFind = `To identify the package that produced the file named foo execute either:

- dpkg --search foo
  This searches for foo in installed packages.
- zgrep foo Contents-ARCH.gz
  This searches for files which contain the substring foo in their full path names.`;

test('a section that is short enough is quoted whole', () => {
  expect(quote(fromFind, wanted('which package does a file belong to', 2_000))).toBe(fromFind);
});

test('a list comes with the sentence that introduces it, and the remedy after the cause', () => {
  const section = [
    filler(30),
    'The mail gets lost if the server has no quota.',
    'Ways to repair that:',
    '- raise the quota\n- delete old mail',
    filler(30, 'rain'),
  ].join('\n\n');
  const said = quote(section, wanted('Why is mail lost?', 300));
  expect(said).toContain('The mail gets lost');
  expect(said).toContain('Ways to repair that:\n\n- raise the quota\n- delete old mail');
});

test('where words say nothing, what the search found is quoted', () => {
  const section = [filler(20, 'rain'), 'Money comes back within a fortnight.', filler(20, 'snow')].join('\n\n');
  const said = quote(section, wanted('refund?', 600, ['Money comes back within a fortnight.']));
  expect(said).toContain('Money comes back within a fortnight.');
});

test('of a list that is too long, the lead-in and the items in question are quoted, with an ellipsis for the rest', () => {
  const items = Array.from({ length: 60 }, (_, i) => `- option ${i}: sets the value of thing number ${i}`);
  items[40] = '- timeout: sets how many seconds it waits';
  const section = `These options change what it does:\n\n${items.join('\n')}`;
  const said = quote(section, wanted('What sets the timeout seconds?', 500));
  expect(said).toMatch(
    /^These options change what it does:\n\n…\n\n- option .*- timeout: sets how many seconds it waits.*\n\n…$/s,
  );
  expect(said.length).toBeLessThanOrEqual(500);
});

test('a paragraph that is too long is cut between sentences, an endless sentence at a word', () => {
  const said = quote(`${filler(100)} The refund is paid. ${filler(100)}`, wanted('refund', 300));
  expect(said).toMatch(/^…\n\nSentence .*The refund is paid\..*\.\n\n…$/s);
  expect(quote('endless '.repeat(500), wanted('refund', 300))).toMatch(/^(endless )+endless…$/);
  expect(quote('x'.repeat(5_000), wanted('refund', 300))).toMatch(/^x+…$/);
});

test('what announces something that the page does not have ends with an ellipsis', () => {
  expect(quote('Do the following:', wanted('x', 100))).toBe('Do the following: …');
  expect(quote('请执行以下命令：', wanted('x', 100))).toBe('请执行以下命令： …');
});

test('headings at the beginning are left out: the source names them', () => {
  expect(quote('# Refunds\n## When\n\nWithin 14 days.\n\n## How\n\nBy post.', wanted('x', 100))).toBe(
    'Within 14 days.\n\nHow\n\nBy post.',
  );
  expect(quote('# Refunds', wanted('x', 100))).toBe('Refunds');
});

test('code keeps its indentation', () => {
  const section = `${filler(60)}\n\nRun:\n\n    for f in *; do\n        mv $f $f.old\n    done\n\nThen wait.`;
  expect(quote(section, wanted('How do I mv files? run', 300))).toContain(
    'Run:\n\n    for f in *; do\n        mv $f $f.old\n    done\n\nThen wait.',
  );
});

const question = fc.constantFrom('remove kernel', 'mail server option', 'debian release', 'nothing like it', '');
const limit = fc.integer({ min: 40, max: 3_000 });

test('a quote never ends with a colon, never is too long, and is never empty', () => {
  fc.assert(
    fc.property(anySection, question, limit, (section, asked, limit) => {
      const said = quote(section, wanted(asked, limit));
      expect(isAnnouncing(said)).toBe(false);
      expect(said.length).toBeLessThanOrEqual(limit + 2);
      expect(said.trim()).not.toBe('');
    }),
  );
});

test('a quote begins and ends between blocks, unless one is too long by itself', () => {
  fc.assert(
    fc.property(anySection, question, limit, (section, asked, limit) => {
      const units = unitsOf(section);
      fc.pre(units.every((unit) => unit.to - unit.from <= limit));
      const said = quote(section, wanted(asked, limit)).replace(/ …$/, '');
      const at = section.indexOf(said);
      expect(at).not.toBe(-1);
      expect(units.map(({ from }) => from)).toContain(at);
      expect(units.map(({ to }) => to)).toContain(at + said.length);
    }),
  );
});

test('whatever a quote has, the section has word for word: only ellipses are added', () => {
  fc.assert(
    fc.property(anySection, question, limit, (section, asked, limit) => {
      for (const part of quote(section, wanted(asked, limit)).split(/(?:^|\s*)…(?:\s*|$)/))
        expect(section).toContain(part.trim());
    }),
  );
});

test('a word of the question that the section has is in the quote, where blocks are short', () => {
  fc.assert(
    fc.property(
      anySection,
      fc.constantFrom('kernel', 'mail'),
      fc.integer({ min: 800, max: 3_000 }),
      (section, word, limit) => {
        fc.pre(section.includes(word) && unitsOf(section).every((unit) => unit.to - unit.from <= limit));
        expect(quote(section, wanted(word, limit))).toContain(word);
      },
    ),
  );
});

test('of two parts that say as much about a question, the one that begins the section is quoted: it answers the heading', () => {
  const first = 'The releases have their names from a film about toys.';
  const last = 'The names of the releases were proposed by a former leader.';
  const section = [first, filler(20), last].join('\n\n');
  expect(quote(section, wanted('where are the names of releases from', 200, [last]))).not.toContain(first);
  expect(quote(section, wanted('where are the names of releases from', 200))).toContain(first);
});

test('quoting takes linear time: one FAQ answer of the longest kind cannot stall other replies', () => {
  const text = 'ab\n\n'.repeat(12_500);
  const { user } = process.cpuUsage();
  quote(text, { words: new Map([['ab', 1]]), wordsOf: contentWords, found: [text.slice(0, 800)], limit: 10_000 });
  // It takes a tenth of a second; looking at the words of each window, it took minutes.
  expect(process.cpuUsage({ user, system: 0 }).user).toBeLessThan(5_000_000);
});
