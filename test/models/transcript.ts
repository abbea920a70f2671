import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One question, its answer and the verdict. */
export interface Entry {
  question: string;
  /** `right`: it contains what it must, and cites the page that says so. */
  verdict: 'right' | 'wrong' | 'refused';
  answer: string;
  /** Paths of the cited pages. */
  cited: string[];
  /** The model's texts, one for each request. */
  wrote: string[];
  /** Words of the answer that are neither on the cited pages nor in the question. */
  unsupported: string[];
  seconds: number;
}

export interface Transcript {
  /** A Markdown file to which each line is appended. */
  file: string;
  line(text: string): Promise<void>;
  entry(entry: Entry): Promise<void>;
}

export async function createTranscript(): Promise<Transcript> {
  const file = join(await mkdtemp(join(tmpdir(), 'parley-transcript-')), 'transcript.md');
  const line = (text: string) => appendFile(file, `${text}\n\n`);
  return { file, line, entry: (entry) => line(markdown(entry)) };
}

const markdown = ({ question, verdict, answer, cited, wrote, unsupported, seconds }: Entry): string =>
  [
    `**${question}** (${verdict}, ${seconds.toFixed(0)} s)  `,
    `${answer.replaceAll('\n', ' ')}`,
    `- cites ${cited.join(', ') || 'nothing'}`,
    ...unsupported.map((word) => `- without support: ${word}`),
    ...wrote.map((text) => `- the model wrote: ${text.replaceAll('\n', ' ')}`),
  ].join('\n');
