import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One question, what came of it, and how that was judged. */
export interface Entry {
  question: string;
  /** `right`: it says what it must, and cites the page that says so. */
  verdict: 'right' | 'wrong' | 'refused';
  answer: string;
  /** Paths of the pages that are cited. */
  cited: string[];
  /** What the model quoted, in its own words. */
  quotes: string[];
  /** Paths of cited pages that hold none of the quotes. */
  unfounded: string[];
  seconds: number;
}

export interface Transcript {
  /** A Markdown file that grows with each line. */
  file: string;
  line(text: string): Promise<void>;
  entry(entry: Entry): Promise<void>;
}

export async function createTranscript(): Promise<Transcript> {
  const file = join(await mkdtemp(join(tmpdir(), 'parley-transcript-')), 'transcript.md');
  const line = (text: string) => appendFile(file, `${text}\n\n`);
  return { file, line, entry: (entry) => line(markdown(entry)) };
}

const markdown = ({ question, verdict, answer, cited, quotes, unfounded, seconds }: Entry): string =>
  [
    `**${question}** (${verdict}, ${seconds.toFixed(0)} s)  `,
    `${answer.replaceAll('\n', ' ')}`,
    `- cites ${cited.join(', ') || 'nothing'}${unfounded.map((path) => `; nothing that is quoted is on ${path}`)}`,
    ...quotes.map((quote) => `- quotes “${quote}”`),
  ].join('\n');
