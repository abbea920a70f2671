import { isEmailAddress } from '@parley/runtime';
import { atMost, hasAtMost, isBlank, NOT_BLANK } from '@parley/runtime/text';
import { z } from 'zod';

/** A line of the seed program's input. */
export type SeedLine = z.infer<typeof SHAPE>;

/** A mistake in the input; the message names the line and the field. */
export class BadLine extends Error {
  override name = 'BadLine';
  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`);
  }
}

const text = (max: number) =>
  z
    .string('must be text')
    .refine((value) => value.isWellFormed(), 'must be well-formed text')
    .refine((value) => hasAtMost(value, max), atMost(max));
const header = (max: number) =>
  text(max)
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'must not have line breaks')
    .nullish();

/**
 * The limits of the conversations service, checked here before anything is sent: so that nothing after a bad line is made
 * although several lines are under way.
 */
const SHAPE = z.object(
  {
    kind: z.enum(['ticket', 'email'], 'must be ticket or email'),
    parent: z.object({ id: text(200).refine((id) => !isBlank(id), NOT_BLANK) }, 'must be an object with an id'),
    email: z.string('must be text').refine(isEmailAddress, 'must be an email address such as ann@example.com'),
    name: header(200),
    subject: header(998),
    message: text(10_000).refine((value) => !isBlank(value), NOT_BLANK),
  },
  'must be a JSON object',
);

/** @throws BadLine */
export function parseLine(number: number, line: Uint8Array): SeedLine {
  const result = SHAPE.safeParse(json(number, line));
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new BadLine(number, `${path.join('.') || 'it'} ${message}.`);
}

function json(number: number, line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new BadLine(number, 'it is not JSON in UTF-8.');
  }
}

/** Bytes. The longest message has 120,000 if each of its characters is escaped. */
const MAX_LINE = 256 * 1024;

/** The lines that are not blank, with their numbers from 1. Holds one line at a time. @throws BadLine */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<{ number: number; line: Uint8Array }> {
  let number = 1;
  let begun: Uint8Array[] = [];
  let bytes = 0;
  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > MAX_LINE) throw new BadLine(number, `it has more than ${MAX_LINE.toLocaleString('en')} bytes.`);
    begun.push(part);
  };
  const end = () => {
    const line = Buffer.concat(begun);
    begun = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let to = chunk.indexOf(NEW_LINE); to >= 0; to = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, to));
      const line = end();
      if (!BLANK.test(line.toString('latin1'))) yield { number, line };
      number += 1;
      from = to + 1;
    }
    add(chunk.subarray(from));
  }
  const last = end();
  if (!BLANK.test(last.toString('latin1'))) yield { number, line: last };
}

const NEW_LINE = 10;
const BLANK = /^[ \t\r]*$/;
