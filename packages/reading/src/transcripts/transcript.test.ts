import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cue, parseTranscript } from './cues.ts';

const HOURS = 3_600_000;
const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/[\s\p{C}]+/gu, ' ').trim())
  .filter((text) => text !== '' && !text.includes('-->') && !/^(?:\d+|\{\\.*)$/.test(text));
const cue = fc
  .record({
    start: fc.integer({ min: 0, max: 99 * HOURS }),
    length: fc.integer({ min: 0, max: HOURS }),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  })
  .map(({ start, length, lines }): Cue => ({ start, end: start + length, lines }));
const cues = fc
  .array(cue, { minLength: 1, maxLength: 20 })
  .map((all) => all.sort((one, other) => one.start - other.start));

const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
const time = (ms: number, point: string) =>
  `${two(ms / HOURS)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}${point}${String(ms % 1_000).padStart(3, '0')}`;
const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\{/g, '&#123;');
const block = ({ start, end, lines }: Cue, point: string, settings = '') =>
  `${time(start, point)} --> ${time(end, point)}${settings}\n${lines.map(escaped).join('\n')}\n`;
const srt = (all: readonly Cue[]) => all.map((each, i) => `${i + 1}\n${block(each, ',')}`).join('\n');
const vtt = (all: readonly Cue[]) =>
  `WEBVTT\nKind: captions\nLanguage: pt-BR\n\nNOTE of\nno use\n\n${all.map((each) => block(each, '.', ' align:start position:0%')).join('\n')}`;

test('any list of captions that is written as SRT or as VTT, with any line ends, is read as it was', () => {
  fc.assert(
    fc.property(cues, fc.constantFrom('\n', '\r\n', '\r'), (all, end) => {
      expect(parseTranscript(srt(all).replaceAll('\n', end))).toEqual({ cues: all, isCut: false });
      const read = parseTranscript(`\uFEFF${vtt(all)}`.replaceAll('\n', end));
      expect(read).toEqual({ cues: all, isCut: false, language: 'pt-BR' });
    }),
  );
});

test('tags, times inside captions, positions and entities are not text', () => {
  const lines = (text: string) => parseTranscript(`00:01.000 --> 00:02.000\n${text}`).cues[0]!.lines;
  expect(lines('Hello<00:00:00.560><c.colorE5E5E5> and</c><c> so</c>')).toEqual(['Hello and so']);
  expect(lines('{\\an8}<font color="red">AT&amp;T</font> &lt;b&gt; &#39;x&#x27;&nbsp;&#0;y')).toEqual([
    "AT&T <b> 'x' y",
  ]);
  expect(lines('<v Ada>2 < 3, 5 > 4</v>\n<i></i>\n<b>end</b>')).toEqual(['2 < 3, 5 > 4', 'end']);
});

test('captions without counters, blank lines, hours, text or order are read', () => {
  const loose =
    '00:09,5 --> 00:10\nlast\n7\n0:00:01.000 --> 0:00:02,000 X1:4\nfirst\n1984\n\n00:03 --> 00:04\n<i> </i>';
  expect(parseTranscript(loose)).toEqual({
    cues: [
      { start: 1_000, end: 2_000, lines: ['first', '1984'] },
      { start: 9_500, end: 10_000, lines: ['last'] },
    ],
    isCut: false,
  });
});

test.each([
  ['', 'line 1: there is no caption with a text in this file'],
  ['WEBVTT', 'line 1: there is no caption with a text in this file'],
  ['Just words.\n', 'line 1: there is "Just words." where the times of a caption are expected, such as 00:00:01,000'],
  ['1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n', 'line 5: there is "b" where the times'],
  ['\n\n1', 'line 4: the file ends where the times'],
  ['1\n00:00:61,000 --> 00:00:62,000\na', 'line 2: "00:00:61,000" is not a time'],
  ['1\n00:00:01,000 --> soon\na', 'line 2: "soon" is not a time such as 00:00:01,000'],
  ['1\n00:00:02,000 --> 00:00:01,000\na', 'line 2: the caption ends before it begins'],
  [`${'x'.repeat(9_999)}`, `line 1: there is "${'x'.repeat(40)}…" where`],
])('%# a file that is wrong is refused with the line and the reason', (text, message) => {
  expect(() => parseTranscript(text)).toThrow(message);
});

test('no more captions are read than the limit, which is said', () => {
  const three = srt([1, 2, 3].map((n) => ({ start: n, end: n, lines: ['a'] })));
  expect(parseTranscript(three, 2)).toMatchObject({ cues: [{ start: 1 }, { start: 2 }], isCut: true });
  expect(parseTranscript(three, 3)).toMatchObject({ cues: { length: 3 }, isCut: false });
});

test('hostile files take time in proportion to their length', () => {
  const TIMES = '00:01.000 --> 00:02.000\n';
  for (const part of ['<', '<a', '{\\', '&#1', '00:', '-->', ' ', '1\n', '\n', '9', '<a>', '\u200b', TIMES]) {
    const read = (length: number) => {
      const text = `WEBVTT\n\n${TIMES}a\n${part.repeat(length / part.length)}`;
      const began = performance.now();
      try {
        parseTranscript(text);
      } catch {}
      return performance.now() - began;
    };
    read(10_000);
    expect(read(300_000)).toBeLessThan(1_000);
  }
});
