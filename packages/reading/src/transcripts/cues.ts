import { readCueText } from './cue-text.ts';
import { readTimes } from './times.ts';
import { TranscriptError } from './transcript-error.ts';

/** A caption: the lines that are shown together. Times are milliseconds from the beginning of the video. */
export interface Cue {
  readonly start: number;
  /** At least `start`. */
  readonly end: number;
  /** Not empty; without tags, entities, control characters and runs of spaces. */
  readonly lines: readonly string[];
}

export interface Transcript {
  /** By their start. */
  readonly cues: readonly Cue[];
  /** BCP 47 tag, if the file says so. */
  readonly language?: string;
  /** There are more cues than the limit. */
  readonly isCut: boolean;
}

const VTT = /^WEBVTT(?:[ \t]|$)/;
const VTT_BLOCKS = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;
const LANGUAGE = /^Language:[ \t]*([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4})[ \t]*$/;
const COUNTER = /^\s*\d{1,9}\s*$/;

/**
 * The captions of an SRT or VTT file, in linear time for any text. Tolerated: a comma for a point in times and the reverse,
 * hours that are left out, counters that are wrong or missing, a missing blank line before a counter, captions without text
 * (they are left out), and captions out of order.
 *
 * @param limit reads this many captions.
 * @throws TranscriptError that names the line.
 */
export function parseTranscript(text: string, limit = Number.POSITIVE_INFINITY): Transcript {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const file: File = { lines, isVtt: VTT.test(lines[0]!), at: 0 };
  const language = file.isVtt ? readHeader(file) : undefined;
  const cues: Cue[] = [];
  let isCut = false;
  for (let cue = nextCue(file); cue && !isCut; cue = nextCue(file)) {
    isCut = cues.length >= limit;
    if (!isCut && cue.lines.length > 0) cues.push(cue);
  }
  if (cues.length === 0) throw new TranscriptError(1, 'there is no caption with a text in this file');
  cues.sort((one, other) => one.start - other.start);
  return { cues, isCut, ...(language && { language }) };
}

interface File {
  readonly lines: readonly string[];
  readonly isVtt: boolean;
  /** Index of the next line. */
  at: number;
}

/** Until the first blank line. */
function readHeader(file: File): string | undefined {
  let language: string | undefined;
  for (; !isBlank(file); file.at++) language ??= LANGUAGE.exec(file.lines[file.at]!)?.[1];
  return language;
}

/** True at the end, too. */
const isBlank = ({ lines, at }: File): boolean => (lines[at] ?? '').trim() === '';

function nextCue(file: File): Cue | undefined {
  for (;;) {
    while (file.at < file.lines.length && isBlank(file)) file.at++;
    if (file.at >= file.lines.length) return undefined;
    if (!file.isVtt || !VTT_BLOCKS.test(file.lines[file.at]!)) return readCue(file);
    while (!isBlank(file)) file.at++;
  }
}

function readCue(file: File): Cue {
  const { lines, isVtt } = file;
  const first = lines[file.at]!;
  const isNamed = !first.includes('-->') && (isVtt || COUNTER.test(first));
  if (isNamed) file.at++;
  const times = readTimes(lines[file.at] ?? '', file.at + 1);
  file.at++;
  const text: string[] = [];
  for (; !isEnd(file) && !isNext(file); file.at++) text.push(lines[file.at]!);
  return { ...times, lines: text.flatMap(readCueText) };
}

/** YouTube's captions have lines of a space, which is no blank line in a VTT file. */
const isEnd = ({ lines, isVtt, at }: File): boolean => ((isVtt ? lines[at] : lines[at]?.trim()) ?? '') === '';

/** The next caption begins without a blank line before it. */
function isNext({ lines, at }: File): boolean {
  const line = lines[at]!;
  const times = COUNTER.test(line) ? lines[at + 1] : line;
  return times !== undefined && /^[\s\d:.,]+-->[\s\d:.,]+/.test(times);
}
