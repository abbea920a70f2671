export interface Chapter {
  /** Seconds from the beginning of the video. */
  readonly start: number;
  readonly title: string;
}

const MAX_CHAPTERS = 500;
const LONGEST_LINE = 300;
const LONGEST_TITLE = 200;
/** YouTube makes no chapters of fewer. */
const FEWEST = 3;
const TIME = /(?<![\d:])(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?![\d:])/;

/**
 * The chapters that a description lists, a line each with its time, by YouTube's own rules: the first at 0:00, three at
 * least, in order. None if it does not.
 */
export function chaptersOf(description: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of description.split('\n')) {
    const chapter = line.length <= LONGEST_LINE ? chapterOf(line) : undefined;
    if (!chapter) continue;
    if (chapter.start <= (chapters.at(-1)?.start ?? -1) || chapters.length >= MAX_CHAPTERS) return [];
    chapters.push(chapter);
  }
  return chapters.length >= FEWEST && chapters[0]!.start === 0 ? chapters : [];
}

function chapterOf(line: string): Chapter | undefined {
  const [found, hours = '0', minutes, seconds] = TIME.exec(line) ?? [];
  if (found === undefined) return undefined;
  const start = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const [before, after] = line.split(found, 2).map(trimmed);
  const title = (after || before || '').slice(0, LONGEST_TITLE).toWellFormed();
  return title ? { start, title } : undefined;
}

/** Without brackets and dashes around the time. */
const trimmed = (text: string): string => text.replace(/^[\s\-–—:|.,)\]]+/, '').replace(/[\s\-–—:|,([]{1,300}$/, '');
