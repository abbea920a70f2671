import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chaptersOf } from './chapters.ts';
import { type Cue, parseTranscript } from './cues.ts';
import { passagesOf } from './passages.ts';
import { readPassages } from './read-passages.ts';
import { mergeRolling } from './rolling.ts';

const URL = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const cue = (start: number, end: number, ...lines: string[]): Cue => ({ start, end, lines });
const texts = (cues: Cue[]) => mergeRolling(cues).map(({ text }) => text);

test('rolling captions say everything once, at the time when it is first said', () => {
  const vtt = `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.149 align:start position:0%
 
rye<00:00:00.560><c> is</c><c> sown</c>

00:00:02.149 --> 00:00:02.159 align:start position:0%
rye is sown
 

00:00:02.159 --> 00:00:04.400 align:start position:0%
rye is sown
in<00:00:02.560><c> autumn</c>

00:00:04.400 --> 00:00:04.410 align:start position:0%
in autumn
 
`;
  expect(mergeRolling(parseTranscript(vtt).cues)).toEqual([
    { start: 160, text: 'rye is sown' },
    { start: 2_159, text: 'in autumn' },
  ]);
});

test('captions that grow say each word once; what is said again after a pause is said twice', () => {
  expect(texts([cue(0, 100, 'one'), cue(100, 200, 'one two'), cue(200, 300, 'one two three')])).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(texts([cue(0, 100, 'No.'), cue(900, 950, 'No.')])).toEqual(['No.', 'No.']);
  expect(texts([cue(0, 100, 'on'), cue(100, 200, 'one')])).toEqual(['on', 'one']);
});

test('chapters are those that YouTube makes of a description', () => {
  const chapters = [
    { start: 0, title: 'Intro' },
    { start: 65, title: 'Mills: how they work' },
    { start: 3_723, title: 'The end' },
  ];
  expect(chaptersOf('About mills.\n\n0:00 Intro\n(1:05) - Mills: how they work\nThe end – 01:02:03\n')).toEqual(
    chapters,
  );
  for (const none of [
    '0:00 One\n1:00 Two',
    '0:10 One\n1:00 Two\n2:00 Three',
    '0:00 One\n2:00 Two\n1:00 Three',
    'At 0:00 sharp',
    `0:00 ${'('.repeat(100_000)}`,
  ])
    expect(chaptersOf(none)).toEqual([]);
});

test('passages lose no word, are short, begin at their second and keep to their chapter', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1_500 })
    .map((text) => text.replace(/\s+/g, '') || '.');
  const said = fc
    .array(fc.record({ start: fc.nat(200_000), text: fc.array(word, { minLength: 1, maxLength: 12 }) }), {
      maxLength: 60,
    })
    .map((all) => all.sort((a, b) => a.start - b.start).map(({ start, text }) => ({ start, text: text.join(' ') })));
  const chapters = [0, 50, 100].map((start) => ({ start, title: `From ${start}` }));
  fc.assert(
    fc.property(said, fc.constantFrom([], chapters), (all, parts) => {
      const pieces = passagesOf(all, parts, URL);
      const joined = (list: readonly { text: string }[]) =>
        list
          .map(({ text }) => text)
          .join('')
          .replaceAll(' ', '');
      expect(joined(pieces)).toBe(joined(all));
      let second = 0;
      for (const { text, url, headings } of pieces) {
        const at = Number(/&t=(\d+)s$/.exec(url!)![1]);
        expect(text.length).toBeLessThanOrEqual(1_201);
        expect(at).toBeGreaterThanOrEqual(second);
        second = at;
        if (parts.length > 0) expect(headings).toEqual([`From ${Math.min(Math.floor(at / 50) * 50, 100)}`]);
      }
    }),
    { numRuns: 50 },
  );
});

test('passages of one chapter are one section and join as one text; they end with a sentence', () => {
  const said = Array.from({ length: 40 }, (_, i) => ({
    start: i * 5_000,
    text: i % 3 === 2 ? 'and that is how flour is made.' : 'the miller pours the grain between stones',
  }));
  const pieces = passagesOf(said, [], URL);
  expect(pieces.length).toBeGreaterThan(1);
  expect(new Set(pieces.map(({ section }) => section))).toEqual(new Set([0]));
  expect(pieces.map(({ joint }) => joint?.separator)).toEqual([undefined, ...Array(pieces.length - 1).fill(' ')]);
  for (const { text } of pieces.slice(0, -1)) expect(text).toMatch(/made\.$/);
});

test('no more captions are read than the limit, which is said; what is no transcript is refused with the line', () => {
  const transcript = parts(3, 'word ');
  const of = (limit: number) => readPassages({ transcript, description: '', url: URL, limit });
  expect(of(2)).toMatchObject({ isCut: true, pieces: [{ text: 'word 0 word 1' }] });
  expect(of(3)).toMatchObject({ isCut: false, pieces: [{ text: 'word 0 word 1 word 2' }] });
  expect(readPassages({ transcript: 'x', description: '', url: URL, limit: 1 })).toEqual({
    refused: expect.stringMatching(/^line 1: /),
  });
});

test('hostile transcripts take time in proportion to their length', () => {
  const description = `0:00 ${'a:'.repeat(100)}\n`.repeat(2_000);
  for (const transcript of [parts(10_000, 'a '), parts(1, 'a'.repeat(500_000)), parts(1, '.\n'.repeat(200_000))]) {
    const began = performance.now();
    readPassages({ transcript, description, url: URL, limit: 100_000 });
    expect(performance.now() - began).toBeLessThan(3_000);
  }
});

/** An SRT file whose captions follow each other. */
function parts(count: number, text: string): string {
  const time = (i: number) => `00:${Math.floor(i / 60) % 60}:${i % 60},000`;
  return Array.from({ length: count }, (_, i) => `${i}\n${time(i % 3_600)} --> 01:00:00,000\n${text}${i}\n\n`).join('');
}
