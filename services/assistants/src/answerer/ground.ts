import { z } from 'zod';
import { type CitedAnswer, cite, NO_EVIDENCE, type Passage } from '../domain/cite.ts';
import { plainText } from './plain-text.ts';
import { NOT_IN_KNOWLEDGE } from './prompt.ts';

const MAX_ANSWER = 10_000;
/** A shorter quote may stand in any passage. */
const MIN_QUOTE = 10;

const MAX_QUOTES = 10;

/** What a model is asked to write: the quotes first, so that the answer follows from them. */
const modelAnswer = z.object({ quotes: z.array(z.string()), answer: z.string() });

/** The same for a server that can hold its model to it. A small one may quote without end, and never answer. */
export const ANSWER_FORM = z.toJSONSchema(modelAnswer.extend({ quotes: z.array(z.string()).max(MAX_QUOTES) }));

/** The model did not answer in the form asked for; it may the next time. */
export class MalformedAnswer extends Error {
  override name = 'MalformedAnswer';
  constructor() {
    super('The model did not answer in the form it was asked for.');
  }
}

/** The model gave an answer, but no passage holds what it quotes for it. Told so, it may quote better. */
export class MisquotedAnswer extends Error {
  override name = 'MisquotedAnswer';
  readonly written: string;

  constructor(written: string) {
    super('The model quoted what is not in the passages.');
    this.written = written;
  }
}

/**
 * Turns what a model wrote into an answer whose sources are the passages that hold its quotes. Quotes that no passage
 * holds are dropped, and those of title and headings alone, which say nothing.
 *
 * @throws MalformedAnswer
 * @throws MisquotedAnswer where no quote is left
 */
export function ground(written: string, passages: readonly Passage[]): CitedAnswer {
  const { quotes, answer } = parse(written);
  if (quotes.length === 0 || answer.includes(NOT_IN_KNOWLEDGE)) return NO_EVIDENCE;
  const sources = quotes
    .slice(0, MAX_QUOTES)
    .flatMap((quote) => passages.find((passage) => holds(passage, quote)) ?? []);
  if (sources.length === 0) throw new MisquotedAnswer(written);
  const text = plainText(answer, passages).slice(0, MAX_ANSWER);
  if (text === '') throw new MalformedAnswer();
  return cite([{ text, passages: sources }]);
}

function holds({ title, text }: Passage, quote: string): boolean {
  const wanted = bare(quote);
  const headings = [title, ...(text.match(/^#{1,6} .*$/gm) ?? [])].join(' ');
  return (
    wanted.trim().length >= MIN_QUOTE && bare(`${title} ${text}`).includes(wanted) && !bare(headings).includes(wanted)
  );
}

/** The JSON object in what the model wrote; many put it into a code fence, or a word before it. */
function parse(written: string): z.infer<typeof modelAnswer> {
  try {
    const json = written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1);
    return modelAnswer.parse(JSON.parse(json));
  } catch {
    throw new MalformedAnswer();
  }
}

/** Letters and digits only, so that a quote is found whatever became of its case, spaces and punctuation. */
const bare = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
