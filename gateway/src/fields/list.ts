import { z } from 'zod';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** A query parameter that may be given once. Repeated ones arrive as an array. */
export const once = (hint: string) => z.string({ error: `must be given once, as ${hint}` });

/** What every list that pages understands. */
export const listQuery = z.object({
  limit: once('a whole number')
    .regex(/^([1-9]\d?|100)$/, `must be a whole number from 1 to ${MAX_LIMIT}`)
    .transform(Number)
    .default(DEFAULT_LIMIT)
    .meta({
      description: `Items in a page; ${DEFAULT_LIMIT} where it is absent.`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      pattern: undefined,
    }),
  next_cursor: once('an earlier page gave it')
    .optional()
    .meta({ description: 'From the previous page: gives the next one.' }),
});

export type ListQuery = z.output<typeof listQuery>;

export const listOf = (item: z.ZodType) =>
  z.object({
    items: z.array(item),
    total: z.int().meta({ description: 'All items that match the filter.' }),
    has_more: z.boolean(),
    next_cursor: z.string().optional().meta({ description: 'Present when has_more is true.' }),
  });
