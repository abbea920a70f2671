import { TranscriptError } from './transcript-error.ts';

const TIME = /^(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,3}))?$/;
const EXAMPLE = '00:00:01,000 --> 00:00:04,000';
/** How much of a line an error quotes. */
const QUOTED = 40;

/** The times of a caption, in milliseconds. What follows them on their line are settings, which are ignored. */
export function readTimes(line: string, number: number): { start: number; end: number } {
  const arrow = line.indexOf('-->');
  if (arrow < 0) {
    const reason = line.trim() === '' ? 'the file ends' : `there is "${quoted(line)}"`;
    throw new TranscriptError(number, `${reason} where the times of a caption are expected, such as ${EXAMPLE}`);
  }
  const start = readTime(line.slice(0, arrow), number);
  const end = readTime(
    line
      .slice(arrow + 3)
      .trimStart()
      .split(/\s/, 1)[0]!,
    number,
  );
  if (end < start) throw new TranscriptError(number, 'the caption ends before it begins');
  return { start, end };
}

function readTime(text: string, number: number): number {
  const [found, hours = '0', minutes, seconds, fraction = ''] = TIME.exec(text.trim()) ?? [];
  if (!found) throw new TranscriptError(number, `"${quoted(text)}" is not a time such as 00:00:01,000`);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, '0'));
}

function quoted(text: string): string {
  const short = text.trim();
  return short.length <= QUOTED ? short : `${short.slice(0, QUOTED).toWellFormed()}…`;
}
