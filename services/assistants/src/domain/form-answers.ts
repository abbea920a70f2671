import { invalidArgument, isEmailAddress } from '@parley/runtime';
import { boundedText } from '@parley/runtime/text';
import type { FormField } from './form-fields.ts';

/** A person's value of a field. */
export interface FormAnswer {
  field: string;
  /** Several for MULTI_SELECT only. */
  values: readonly string[];
}

/** The longest message. */
const MAX_MESSAGE = 10_000;
const LINE_BREAK = /[\r\n\u0085\u2028\u2029]/;

/**
 * The first message of a ticket: one answer a line, in the order of the form, as `name: value`.
 *
 * @throws AppError `invalid_argument` that names the field.
 */
export function answersText(fields: readonly FormField[], answers: readonly FormAnswer[]): string {
  const given = new Map<string, readonly string[]>();
  for (const { field, values } of answers) {
    const id = field.toLowerCase();
    if (!fields.some((one) => one.id === id)) throw invalidArgument('answers must only name fields of the form.');
    if (given.has(id)) throw invalidArgument('answers must name each field once.');
    given.set(id, values);
  }
  const lines = fields.flatMap((field) => lineOf(field, given.get(field.id) ?? []));
  return boundedText('answers', lines.join('\n'), MAX_MESSAGE);
}

function lineOf(field: FormField, values: readonly string[]): string[] {
  const { name, type, required } = field;
  const filled = values.filter((value) => value.trim() !== '');
  if (required && (filled.length === 0 || (type === 'CHECKBOX' && filled[0] !== 'true')))
    throw wrong(field, 'is required');
  if (filled.length === 0) return [];
  if (filled.length > 1 && type !== 'MULTI_SELECT') throw wrong(field, 'takes one value');
  const says = filled.map((value) => CHECKS[type](value, field)).find((wrong) => wrong !== undefined);
  if (says !== undefined) throw wrong(field, says);
  return [`${name}: ${[...new Set(filled)].join(', ')}`];
}

/** By type, what is wrong with a value, if anything. */
const CHECKS: Record<FormField['type'], (value: string, field: FormField) => string | undefined> = {
  TEXT: (value) => (LINE_BREAK.test(value) ? 'must be one line' : undefined),
  LONG_TEXT: () => undefined,
  EMAIL: (value) => (isEmailAddress(value.trim()) ? undefined : 'must be an email address'),
  NUMBER: (value) => (/^\s*[+-]?\d{1,30}([.,]\d{1,30})?\s*$/.test(value) ? undefined : 'must be a number'),
  SELECT: oneOf,
  MULTI_SELECT: oneOf,
  CHECKBOX: (value) => (value === 'true' || value === 'false' ? undefined : 'must be true or false'),
  DATE: (value) => (isDate(value) ? undefined : 'must be a date such as 2026-03-01'),
};

function oneOf(value: string, { values = [] }: FormField): string | undefined {
  return values.some((choice) => choice.value === value) ? undefined : 'must be one of the values of the field';
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const wrong = ({ name }: FormField, says: string) => invalidArgument(`answers: "${name}" ${says}.`);

/** A line of a conversation that led to the form. */
export interface TranscriptLine {
  isVisitor: boolean;
  text: string;
}

/** The message with what was said before it, as much of the end of it as there is room for. A form without answers has its title. */
export function withTranscript(title: string, answers: string, transcript: readonly TranscriptLine[]): string {
  const message = answers || title;
  const lines: string[] = [];
  let room = MAX_MESSAGE - [...message].length - 2;
  for (const { isVisitor, text } of transcript.toReversed()) {
    const line = `${isVisitor ? 'Visitor' : 'Assistant'}: ${text}`;
    room -= [...line].length + 1;
    if (room < 0) break;
    lines.unshift(line);
  }
  return lines.length > 0 ? `${message}\n\n${lines.join('\n')}` : message;
}
