import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Block, type BlockKind, encodeBlocks, separator, type TextBlock } from '../text/blocks.ts';
import { joinChunks } from './join-chunks.ts';
import { type Piece, SPLITTING, split } from './split.ts';

const LONGEST = 1_600;
const total = (pieces: Piece[]) =>
  pieces.reduce((sum, { text, headings }) => sum + text.length + headings.join('').length, 0);
const mostOf = (text: string) => 6 * text.length + 10_000;
/** `length` characters of repeated text. */
const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const sentence = 'This sentence is one of many that belong to the same section. ';
const many = (count: number) => sentence.repeat(count).trim();
const splitText = (text: string) => split({ text });
const splitBlocks = (blocks: readonly Block[]) => split({ text: encodeBlocks(blocks), isBlocks: true });
const items = (count: number, unit: string) =>
  Array.from({ length: count }, (_, i): TextBlock => ({ kind: 'item', text: `${unit} number ${i} of the list` }));

/** The joined text of each section. */
function joined(pieces: readonly Piece[]): string[] {
  const numbers = [...new Set(pieces.map(({ section }) => section))];
  return numbers.map((number) => joinChunks(pieces.filter(({ section }) => section === number)));
}

const joinedBlocks = (blocks: readonly TextBlock[]) =>
  blocks.map(({ kind, text }, i) => (i === 0 ? text : separator(blocks[i - 1]!.kind, kind) + text)).join('');

test('each section is its own piece, under all its headings', () => {
  const text =
    '# Guide\n\nWelcome.\n\n## The port\n\nSet PORT.\n\n## The folder\n\n### Of data\n\nSet DATA.\n\n# End\n\nBye.';
  expect(splitText(text)).toEqual([
    { text: 'Welcome.', headings: ['Guide'], section: 0 },
    { text: 'Set PORT.', headings: ['Guide', 'The port'], section: 1 },
    { text: 'Set DATA.', headings: ['Guide', 'The folder', 'Of data'], section: 2 },
    { text: 'Bye.', headings: ['End'], section: 3 },
  ]);
});

test('all pieces of a long section have its headings, its number and its anchor', () => {
  const pieces = splitBlocks([
    { kind: 'heading', level: 2, text: 'Refunds', anchor: 'refunds' },
    { kind: 'text', text: many(40) },
  ]);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) {
    expect(piece).toMatchObject({ headings: ['Refunds'], section: 0, anchor: 'refunds' });
    expect(piece.text).toMatch(/^This.*section\.$/);
  }
});

test('what a colon announces stays with it: a command, a list, code, a table', () => {
  const announced: TextBlock[] = [
    { kind: 'text', text: 'dpkg --search file' },
    { kind: 'item', text: '- ask dpkg' },
    { kind: 'code', text: '    dpkg --search file' },
    { kind: 'row', text: 'Command: dpkg; Purpose: search' },
  ];
  for (const block of announced) {
    const pieces = splitBlocks([{ kind: 'text', text: `${many(13)} To find the package, execute:` }, block]);
    expect(pieces.length).toBe(2);
    expect(pieces[1]!.text).toMatch(/To find the package, execute:\n/);
    expect(pieces[1]!.text).toContain(block.text);
  }
});

test('a long list is cut between items, and each part begins with what introduces the list', () => {
  const lead = 'These solutions do not work:';
  const blocks: TextBlock[] = [{ kind: 'text', text: lead }, ...items(70, '- the remedy')];
  const pieces = splitBlocks(blocks);
  expect(pieces.length).toBeGreaterThan(2);
  for (const { text } of pieces) expect(text).toMatch(/^These solutions do not work:\n+- the/);
  expect(joined(pieces)).toEqual([joinedBlocks(blocks)]);
});

test('a part of a nested list begins with the item that introduces it, one of a meaning with its term', () => {
  const lead: TextBlock[] = [
    { kind: 'text', text: 'Never do this:' },
    { kind: 'item', text: '- on Debian:' },
  ];
  for (const { text } of splitBlocks([...lead, ...items(40, '  - the remedy')]))
    expect(text).toMatch(/^Never do this:\n+- on Debian:\n {2}- the/);
  const term: TextBlock[] = [
    { kind: 'term', text: '--force' },
    { kind: 'meaning', text: many(30) },
  ];
  for (const { text } of splitBlocks(term)) expect(text).toMatch(/^--force\nThis/);
});

test('an answer is one section, and comes back whole', () => {
  const answer = `# Not a heading\n\nRun:\n\n    npm start\n\n${many(30)}\n\n- one\n- two\n\n## Nor this\n\nEnd.`;
  const pieces = split({ text: answer, isOneSection: true });
  expect(pieces.length).toBeGreaterThan(2);
  expect(joined(pieces)).toEqual([answer]);
});

test('headings without a text of their own stand above the next section, unless there are many', () => {
  expect(splitText('## Part one\n\n## Refunds\n\nAsk us.')).toEqual([
    { text: 'Ask us.', headings: ['Part one', 'Refunds'], section: 0 },
  ]);
  expect(splitText('# A\n\n## B\n\n## C\n\n## D\n\n## E\n\nText.\n\n## F')).toEqual([
    { text: 'B\nC\nD', headings: ['A'], section: 0 },
    { text: 'Text.', headings: ['A', 'E'], section: 1 },
  ]);
  expect(splitText('# Only\n\n## headings').map(({ text }) => text)).toEqual(['Only\nheadings']);
});

test('a blank text has no pieces', () => {
  expect(splitText(' \n\n ')).toEqual([]);
  expect(splitText('')).toEqual([]);
  expect(splitBlocks([])).toEqual([]);
});

test('headings are bounded, never cut inside a character, and whole once in the text', () => {
  const headingOf = (heading: string) => splitText(`# ${heading}\n${fill('word ', 4_000)}`).at(-1)!.headings[0]!;
  expect(headingOf('h'.repeat(5_000))).toBe('h'.repeat(200));
  expect([...headingOf('😀'.repeat(5_000))].length).toBeLessThanOrEqual(200);
  expect(headingOf('😀'.repeat(5_000))).toMatch(/^(😀)+$/u);
  expect(headingOf('several words '.repeat(50))).toMatch(/^(several words )+several( words)?$/);
  const long = 'several words '.repeat(50).trim();
  expect(joined(splitText(`# ${long}\nText.`))).toEqual([`${long}\n\nText.`]);
});

test('if a sentence has to be cut, the next piece repeats its last words', () => {
  const words = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ');
  const pieces = splitText(words);
  const [first, second] = pieces;
  expect(first!.text.endsWith(second!.text.split(' ')[0]!)).toBe(false);
  expect(first!.text).toContain(second!.text.split(' ').slice(0, 3).join(' '));
  expect(joined(pieces)).toEqual([words]);
});

test('it stops after the requested number of pieces', () => {
  const text = '# n\nb\n'.repeat(100);
  expect(split({ text }, 7)).toEqual(splitText(text).slice(0, 7));
});

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const prose = fc.array(word, { minLength: 1, maxLength: 200 }).map((words) => words.join(' '));
const sentences = fc.array(prose, { minLength: 1, maxLength: 8 }).map((all) => `${all.join('. A')}.`);
const lines = fc.array(word, { minLength: 1, maxLength: 60 }).map((all) => all.map((line) => `    ${line}`).join('\n'));
const textBlock = fc.oneof(
  fc.tuple(fc.constantFrom<BlockKind>('text', 'meaning', 'inner', 'row', 'term'), fc.oneof(prose, sentences)),
  fc.tuple(
    fc.constant<BlockKind>('item'),
    prose.map((text) => `- ${text}`),
  ),
  fc.tuple(fc.constant<BlockKind>('code'), lines),
);
/** Sometimes two blocks: one that ends with a colon, and what it announces. */
const announced = fc
  .tuple(textBlock, fc.boolean(), prose)
  .map(([[kind, text], isAnnounced, lead]): TextBlock[] => [
    ...(isAnnounced ? [{ kind: 'text' as const, text: `${lead}:` }] : []),
    { kind, text },
  ]);

test('the pieces of any section join to its text, none is too long, and none ends before what a colon announces', () => {
  fc.assert(
    fc.property(fc.array(announced, { minLength: 1, maxLength: 12 }), (groups) => {
      const blocks = groups.flat();
      const pieces = splitBlocks(blocks);
      expect(joined(pieces)).toEqual([joinedBlocks(blocks)]);
      for (const { text } of pieces) {
        expect(text.length).toBeLessThanOrEqual(LONGEST);
        expect(text).not.toMatch(/:\s*$/);
      }
    }),
    { numRuns: 300 },
  );
});

test('no word of any text is lost', () => {
  const block = fc.oneof(
    prose,
    sentences,
    word.map((heading) => `## ${heading}`),
    word.map((item) => `- ${item}`),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
      const pieces = splitText([...blocks, 'the end'].join('\n\n'));
      const kept = new Set(
        pieces
          .flatMap(({ text, headings }) => [text, ...headings])
          .join('\n')
          .split(/\s+/),
      );
      for (const word of blocks.join(' ').split(/\s+/)) if (word && word !== '##') expect(kept).toContain(word);
    }),
  );
});

const HOSTILE = [
  ...['h', 'word ', '# ', '## x\n', '\n', '\n\n', '. ', ' ', '😀', '\u2028', '\r\n', 'ü. ', '#', ':\n\n', '- a:\n'],
  ...['  - b\n', '| a | b |\n', '|-|-|\n', '```\n', '    code:\n', '。', '1. x\n', '===\n'],
];

test('the pieces of any text are together bounded by its length, and none ends inside a character', () => {
  const run = fc
    .tuple(fc.constantFrom(...HOSTILE), fc.integer({ min: 1, max: 3_000 }))
    .map(([text, times]) => text.repeat(times));
  const heading = fc.integer({ min: 0, max: 3_000 }).map((length) => `\n# ${'h'.repeat(length)}\n`);
  const adversarial = fc.array(fc.oneof(run, heading, fc.string({ unit: 'grapheme', maxLength: 300 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(adversarial, fc.boolean(), (parts, isOneSection) => {
      const text = parts.join('');
      const pieces = split({ text, isOneSection });
      expect(total(pieces)).toBeLessThanOrEqual(mostOf(text));
      for (const { text } of pieces) {
        expect(text.length).toBeLessThanOrEqual(LONGEST);
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text.trim()).not.toBe('');
      }
    }),
    { numRuns: 300 },
  );
});

test('any shape takes at most 100 times as long as prose of its size, and yields a bounded text', () => {
  // Enough for anything quadratic to take much longer than that.
  const size = 250_000;
  const time = (text: string) => {
    const began = performance.now();
    const pieces = splitText(text);
    const ms = performance.now() - began;
    expect(total(pieces)).toBeLessThanOrEqual(mostOf(text));
    return ms;
  };
  const prose = fill(`${'The quick brown fox jumps over the lazy dog and runs away. '.repeat(10)}\n\n`, size);
  time(prose);
  const usual = Math.max(time(prose), 15);
  const deeper = Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}- a:\n`).join('');
  const shapes = {
    'a heading as long as the text below it': `# ${'h'.repeat(size / 2)}\n${'b'.repeat(size / 2)}`,
    'a heading of words as long as the text below it': `# ${fill('h ', size / 2)}\n${fill('b ', size / 2)}`,
    'as many headings as possible': fill('# n\nb\n', size),
    'nothing but headings': fill('# n\n', size),
    'headings ever deeper': fill('# aaaa\n## bbbb\n### cccc\n#### dddd\n##### eeee\n###### f\nx\n###### g\ny\n', size),
    'one line without a space': fill('a', size),
    'one line of words': fill('a ', size),
    'nothing but new lines': fill('\n', size),
    'new lines, then a word': `# h\n${fill('\n', size)}word`,
    'number signs': fill('#', size),
    'number signs after spaces': `# ${fill(' #', size)}x`,
    'headings without a line': fill('# ', size),
    'pairs of surrogates': fill('😀', size),
    'lines of one character': fill('a\n', size),
    spaces: fill(' ', size),
    'colons without end': fill('a:\n\n', size),
    'lists ever deeper': fill(deeper, size),
    'code with blank lines': `\`\`\`\n${fill('x\n\n\n\n', size)}`,
    'fences without end': fill('```\n~~~\n', size),
    'table rows without end': `a | b\n-|-\n${fill('a | b\n', size)}`,
    'a table row without end': `a | b\n-|-\n${fill('|', size)}`,
    'rules of tables': fill('-|-', size),
    quotes: fill('"', size),
    'full stops and quotes': fill('.""" ', size),
  };
  const slow = Object.entries(shapes)
    .map(([shape, text]) => ({ shape, times: time(text) / usual }))
    .filter(({ times }) => times > 100);
  expect(slow).toEqual([]);
});

test('whoever changes how texts are split increments SPLITTING, so that trainings split unchanged sources again', () => {
  const blocks: Block[] = [
    { kind: 'heading', level: 1, text: 'Opening hours', anchor: 'hours' },
    { kind: 'text', text: many(40) },
    { kind: 'heading', level: 2, text: 'On holidays' },
    { kind: 'text', text: 'The list:' },
    ...items(60, 'Entry'),
    { kind: 'row', text: 'Monday | nine to five' },
  ];
  const pieces = [
    splitBlocks(blocks),
    splitText(fill('word ', 9_000)),
    splitText(`# Title\n\n${many(30)}\n\n- one\n- two`),
  ];
  expect([SPLITTING, createHash('sha256').update(JSON.stringify(pieces)).digest('hex').slice(0, 16)]).toEqual([
    1,
    '04ccf9d8e885e4cf',
  ]);
});
