import { atMost } from '@parley/runtime/text';
import { z } from 'zod';

/**
 * A list of names as a filter in a query. Its order and repetitions make no difference, so cursors ignore them too.
 *
 * @param maxLength enough to name each many times
 */
export const namesParameter = <N extends string>(names: readonly N[], maxLength: number, description: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().join(','))
    .refine((text) => text.length <= maxLength, { error: atMost(maxLength), abort: true })
    .transform((text, ctx) => {
      const given = text.split(',').map((name) => name.trim().toLowerCase());
      const known = names.filter((name) => given.includes(name));
      if (given.every((name) => (known as string[]).includes(name))) return known;
      ctx.addIssue({ code: 'custom', message: `must be one or more of ${names.join(', ')}, separated by commas` });
      return z.NEVER;
    })
    .optional()
    .meta({ description, type: 'string', anyOf: undefined, maxLength });
