import { z } from 'zod';
import { requiredText } from './text.ts';

/** Fields of bodies that more than one kind of assistant has. */

export const title = requiredText(200);

export const allowedDomains = z
  .array(requiredText(261))
  .max(100)
  .meta({ description: 'Hosts of the pages that may show it: host[:port] or *.host.' });

/** The limit of an account, for the descriptions of the routes that create assistants. */
export const ASSISTANT_LIMITS_TEXT =
  'An account can have at most 1,000 of each kind; those with more than 1,500 bytes of text can have 2,400,000 bytes in total.';

/** An optional list in a PATCH: null clears it. */
export const replacedList = <S extends z.ZodType>(list: z.ZodArray<S>) =>
  list.nullish().transform((values) => (values === undefined ? undefined : { values: values ?? [] }));
