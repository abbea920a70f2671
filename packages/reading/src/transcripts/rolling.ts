import type { Cue } from './cues.ts';

/** A text that is spoken from a moment on. */
export interface Said {
  /** Milliseconds. */
  readonly start: number;
  readonly text: string;
}

/** Captions with a longer pause between them do not continue each other. */
const PAUSE_MS = 150;
/** Lines that a caption repeats. */
const MAX_REPEATED = 4;

/**
 * Returns each line once. Automatic captions roll: each repeats the line above, or grows word by word. Only what follows without
 * a pause is taken for a repetition.
 */
export function mergeRolling(cues: readonly Cue[]): Said[] {
  const said: Said[] = [];
  let last: Cue | undefined;
  for (const cue of cues) {
    const rolls = last !== undefined && cue.start - last.end <= PAUSE_MS;
    const text = (rolls ? newLines(last!.lines, cue.lines) : cue.lines).join(' ');
    if (text) said.push({ start: cue.start, text });
    last = cue;
  }
  return said;
}

function newLines(shown: readonly string[], lines: readonly string[]): readonly string[] {
  for (let count = Math.min(shown.length, lines.length, MAX_REPEATED); count > 0; count--)
    if (shown.slice(-count).every((line, i) => line === lines[i])) return lines.slice(count);
  const [first = '', ...rest] = lines;
  const growing = shown.at(-1)!;
  return first.startsWith(`${growing} `) ? [first.slice(growing.length + 1), ...rest] : lines;
}
