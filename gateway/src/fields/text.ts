import { parseUrl } from '@parley/runtime/parse-url';
import { z } from 'zod';

/** Text as sent, of at most so many code points. */
export const text = (maxLength: number) =>
  z
    .string()
    .refine((value) => hasAtMost(value, maxLength), `must have at most ${maxLength.toLocaleString('en')} characters`)
    .meta({ maxLength });

/** The same for text that has to say something. */
export const requiredText = (maxLength: number) =>
  text(maxLength)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({ minLength: 1, maxLength });

/** A field that may be left out; null says the same. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

const MAX_ADDRESS = 2_048;

/** The address of something on the web. */
export const webAddress = requiredText(MAX_ADDRESS)
  .refine((value) => /^https?:\/\//i.test(value), 'must begin with http:// or https://')
  .refine((value) => parseUrl(value) !== undefined, 'must be an address on the web')
  .meta({ format: 'uri', maxLength: MAX_ADDRESS });

/** A code point has at most two UTF-16 units, so most texts need not be counted. */
const hasAtMost = (value: string, max: number): boolean =>
  value.length <= max || (value.length <= 2 * max && [...value].length <= max);
