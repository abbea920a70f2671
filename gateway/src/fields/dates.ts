import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';
import { once } from './list.ts';

const MESSAGE = 'must be a date that exists, such as 2026-01-31 or 2026-01-31T12:00:00Z';

const parsed = (value: string, ctx: z.RefinementCtx): Date => {
  const date = parseDate(value);
  if (date) return date;
  ctx.addIssue({ code: 'custom', message: MESSAGE });
  return z.NEVER;
};

const MAX_LENGTH = 64;

/** A date in a body. */
export const date = z.string().transform(parsed).meta({ format: 'date-time', maxLength: MAX_LENGTH });

/** A date as a filter in a query. */
export const dateParameter = once('a date').transform(parsed).optional().meta({
  description: 'ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive.',
  maxLength: MAX_LENGTH,
});

/** A timestamp in a response. */
export const timestamp = z.string().meta({ format: 'date-time' });

export const toTimestamp = (date: Date | undefined): Timestamp | undefined => date && timestampFromDate(date);

export const iso = (timestamp: Timestamp): string => timestampDate(timestamp).toISOString();

export const isoOrNull = (timestamp: Timestamp | undefined): string | null => (timestamp ? iso(timestamp) : null);

// An unencoded "+" arrives as a space.
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)\s?(?:(Z)|([-+ ]\d\d):?(\d\d)?)?)?$/i;
// Linear: no quantifier. Comments after the zone have been removed by then.
const ZONE = /(?:\bUTC|\bGMT|\bUT|Z|\b[ECMP][SD]T|[-+]\d\d:?\d\d)$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WORD =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|mon(day)?|tue(s(day)?)?|wed(nesday)?|thu(rs(day)?)?|fri(day)?|sat(urday)?|sun(day)?|am|pm|utc|gmt|ut|z|t|[ecmp][sd]t)$/i;

/**
 * Parses a date: ISO 8601, or another form that the platform understands. Without a zone it is UTC, whatever the zone of
 * this process. Undefined for anything else, including days that do not exist and text of more than 64 characters.
 */
export function parseDate(text: string): Date | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const iso = ISO.exec(text);
  return iso ? parseIso(iso) : parseOther(text);
}

function parseIso([, year, month, day, time = '00:00', utc, hours, minutes = '00']: RegExpExecArray) {
  if (Number(day) > daysIn(Number(year), Number(month))) return undefined;
  const zone = utc || hours === undefined ? 'Z' : `${hours.replace(' ', '+')}:${minutes}`;
  return valid(`${year}-${month}-${day}T${time.replace(',', '.')}${zone}`);
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The platform's parser turns 30 February into a day in March and skips unknown words. This rejects both. */
function parseOther(text: string): Date | undefined {
  const uncommented = withoutComment(text);
  const zoned = ZONE.test(uncommented);
  const bare = zoned ? uncommented.replace(ZONE, '') : text;
  const words = bare.match(/\p{L}+/gu) ?? [];
  if (!/\d{4}/.test(bare) || !words.every((word) => WORD.test(word))) return undefined;
  const asUtc = valid(`${bare} UTC`);
  if (!asUtc || asUtc.getUTCMonth() !== monthIn(bare, words)) return undefined;
  return zoned ? valid(text) : asUtc;
}

/** Removes a trailing "(Central European Time)". */
function withoutComment(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(')') ? trimmed.slice(0, Math.max(0, trimmed.lastIndexOf('('))).trimEnd() : trimmed;
}

/** The month in a text, from 0: by name, or the first number that is not the year. */
function monthIn(text: string, words: string[]): number | undefined {
  const named = words.map((word) => MONTHS.indexOf(word.slice(0, 3).toLowerCase())).find((month) => month >= 0);
  if (named !== undefined) return named;
  const first = text.match(/\d+/g)?.find((number) => number.length <= 2);
  return first === undefined ? 0 : Number(first) - 1;
}

function valid(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
