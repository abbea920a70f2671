import { z } from 'zod';
import { type CitedAnswer, type CitedPassage, cite, NO_EVIDENCE, type Statement } from '../domain/cite.ts';
import { visible } from '../domain/markup.ts';
import { plainText } from './plain-text.ts';
import { NOT_IN_KNOWLEDGE, repeatsExample } from './prompt.ts';
import { merged, type Quotation, quotationAt, unitsOf } from './quotation.ts';
import type { Shown } from './shown.ts';
import { isAboutQuestion } from './subject.ts';
import { provenSentences } from './support.ts';

const MAX_ANSWER = 10_000;
/** A shorter quote could be in any passage. */
const MIN_QUOTE = 10;

const MAX_QUOTES = 10;

/** What a model is asked to write: quotes first, so that the answer follows from them. */
const modelAnswer = z.object({ quotes: z.array(z.string()), answer: z.string() });

/** The same as a JSON schema for structured output. Bounded, because a small model may quote without end. */
export const ANSWER_FORM = z.toJSONSchema(modelAnswer.extend({ quotes: z.array(z.string()).max(MAX_QUOTES) }));

/** The answer is not in the requested format. Another attempt may be. */
export class MalformedAnswer extends Error {
  override name = 'MalformedAnswer';
  constructor() {
    super('The model did not answer in the requested format.');
  }
}

/** No passage has what the model quotes. It may do better once corrected. */
export class MisquotedAnswer extends Error {
  override name = 'MisquotedAnswer';
  readonly written: string;

  constructor(written: string) {
    super('The model quoted text that is not in the passages.');
    this.written = written;
  }
}

/**
 * Turns the output of a model into an answer whose sources are the passages with its quotes. Drops quotes that are not in
 * what the model was shown, and quotes of a title or a heading only, which prove nothing. An answer that says more than
 * its quotes is replaced by them: the whole sentences around them, as the pages have them.
 *
 * @param question with what it refers to
 * @throws MalformedAnswer
 * @throws MisquotedAnswer if no quote is left, if the answer is a question, or if the model repeats the example of the prompt
 */
export function ground(written: string, shown: readonly Shown[], question: string): CitedAnswer {
  const { quotes, answer } = parse(written);
  if (quotes.length === 0 || answer.includes(NOT_IN_KNOWLEDGE)) return NO_EVIDENCE;
  const known = [question, ...shown.flatMap(({ under, text }) => [under, text])].join('\n');
  if (repeatsExample(`${quotes.join('\n')}\n${answer}`, known)) throw new MisquotedAnswer(written);
  const places = shown.map((one) => ({ one, place: placesIn(one) }));
  const found = quotes.slice(0, MAX_QUOTES).flatMap((quote) => find(quote, places) ?? []);
  if (found.length === 0) throw new MisquotedAnswer(written);
  const quotations = merged(found);
  if (!isAboutQuestion(question, quotations, shown)) return NO_EVIDENCE;
  const text = plainText(answer, shown.flatMap(sourcesOf)).slice(0, MAX_ANSWER);
  if (text === '') throw new MalformedAnswer();
  const proven = provenSentences(text, quotations, question);
  const statements = proven ? asOne(proven) : quotations.map(asStatement);
  if (!statements.some(statesSomething)) throw new MisquotedAnswer(written);
  return cite(statements);
}

const QUESTION = /[?？؟]["'”’»)]*$/u;

/** A page has questions too, often as headings: alone they answer nothing. */
const statesSomething = ({ text }: Statement): boolean => unitsOf(text).some((unit) => !QUESTION.test(unit.text));

const sourcesOf = ({ text, passages }: Shown) => passages.map(({ url }) => ({ text, url }));

/** The sentences of an answer keep their lines. */
function asOne(proven: NonNullable<ReturnType<typeof provenSentences>>): Statement[] {
  const text = proven.map(({ text }) => text).join(proven.some(({ text }) => text.includes('\n')) ? '\n' : ' ');
  return [{ text, passages: [...new Set(proven.flatMap(({ quotations }) => quotations.map(passageOf)))] }];
}

const asStatement = (quotation: Quotation): Statement => ({ text: quotation.text, passages: [passageOf(quotation)] });

/** The passage of the section that has the quotation; the best one if none has all of it. */
function passageOf({ shown: { passages }, text }: Quotation): CitedPassage {
  return passages.find((passage) => visible(passage.text).includes(text)) ?? passages[0]!;
}

/** Finds a text in what is shown, despite differences of case, spaces and punctuation. */
interface Places {
  bare: string;
  /** For each character of `bare`, where it stands in the text; negative in the headings before it. */
  at: number[];
}

function placesIn({ under, text }: Shown): Places {
  const whole = `${under}\n${text}`;
  const places = barePlaces(whole);
  return { bare: places.bare, at: places.at.map((place) => place - under.length - 1) };
}

function find(quote: string, shown: readonly { one: Shown; place: Places }[]): Quotation | undefined {
  const wanted = barePlaces(visible(quote)).bare;
  if (wanted.trim().length < MIN_QUOTE) return undefined;
  for (const { one, place } of shown) {
    for (let start = place.bare.indexOf(wanted); start !== -1; start = place.bare.indexOf(wanted, start + 1)) {
      // The outer characters are spaces.
      const [from, to] = [place.at[start + 1]!, place.at[start + wanted.length - 2]! + 1];
      if (to > 0) return quotationAt(one, Math.max(from, 0), to);
    }
  }
  return undefined;
}

/** Letters and digits only, each run of anything else as one space, with spaces around. */
function barePlaces(text: string): Places {
  let bare = ' ';
  const at = [0];
  let place = 0;
  for (const character of text) {
    for (const plain of character.normalize('NFKC').toLowerCase()) {
      if (/[\p{L}\p{N}]/u.test(plain)) {
        bare += plain;
        for (let unit = 0; unit < plain.length; unit++) at.push(place);
      } else if (!/\p{M}/u.test(plain) && !bare.endsWith(' ')) {
        bare += ' ';
        at.push(place);
      }
    }
    place += character.length;
  }
  return bare.endsWith(' ') ? { bare, at } : { bare: `${bare} `, at: [...at, place] };
}

/** Parses the JSON object in the output. Many models wrap it in a code fence or put words before it. */
function parse(written: string): z.infer<typeof modelAnswer> {
  try {
    const json = written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1);
    return modelAnswer.parse(JSON.parse(json));
  } catch {
    throw new MalformedAnswer();
  }
}
