import EmailReplyParser from 'email-reply-parser';

/** Characters in which quotes and signatures are looked for. What follows them is quoted, or of no interest to a reader. */
const SEARCHED = 50_000;

/** A message in two parts, each with its lines as they were. */
export interface CutText {
  /** The sender's own text. */
  text: string;
  /** Quotes of earlier messages, and the signature; those before the text come first. */
  quoted: string;
}

/**
 * Cuts off what a message repeats of earlier ones before or after its own text, and its signature. Quotes between lines of its own
 * stay: they are what those lines answer. A message of nothing else stays whole, and so does what is forwarded.
 */
export function cutQuotes(message: string): CutText {
  const lines = message.replace(/\r\n?/g, '\n');
  const [searched, rest] = [lines.slice(0, SEARCHED), lines.slice(SEARCHED)];
  const parts = new EmailReplyParser().read(searched).getFragments();
  const shown = parts.flatMap((part, i) => (part.isHidden() || isBlank(part.getContent()) ? [] : [i]));
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return { text: trimmed(lines), quoted: '' };
  const isAnsweredBelow = parts.some((part, i) => i > first && i < last && part.isQuoted());
  const from = isAnsweredBelow ? 0 : first;
  const join = (some: typeof parts) => some.map((part) => part.getContent()).join('\n');
  return {
    text: trimmed(join(parts.slice(from, last + 1))),
    quoted: trimmed(
      [join(parts.slice(0, from)), join(parts.slice(last + 1)), rest].filter((part) => !isBlank(part)).join('\n'),
    ),
  };
}

const isBlank = (text: string): boolean => text.trim() === '';

/** Without blank lines around it. */
const trimmed = (text: string): string => text.replace(/^(\s*\n)+/, '').trimEnd();
