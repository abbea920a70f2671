import { parseUrl } from '@parley/runtime/parse-url';
import { atMost, hasAtMost, isBlank, NOT_BLANK } from '@parley/runtime/text';
import { z } from 'zod';

/** Text as sent, of at most `maxLength` code points. */
export const text = (maxLength: number) =>
  z
    .string()
    .refine((value) => hasAtMost(value, maxLength), {
      message: atMost(maxLength),
      // Skips further checks: the URL parser takes half a minute for a host of 1 MiB.
      abort: true,
    })
    .meta({ maxLength });

/** The same for text that must not be blank. */
export const requiredText = (maxLength: number) =>
  text(maxLength)
    .refine((value) => !isBlank(value), NOT_BLANK)
    .meta({ minLength: 1, maxLength });

/** An optional field; null means absent. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

const MAX_ADDRESS = 2_048;

/** A web address. */
export const webAddress = requiredText(MAX_ADDRESS)
  .refine((value) => /^https?:\/\//i.test(value), 'must begin with http:// or https://')
  .refine((value) => parseUrl(value) !== undefined, 'must be an address on the web')
  .meta({ format: 'uri', maxLength: MAX_ADDRESS });
