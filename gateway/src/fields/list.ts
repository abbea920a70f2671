import { z } from 'zod';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** A query parameter that may be given once. Repeated ones arrive as an array. */
export const once = (hint: string) => z.string({ error: `must be given once, as ${hint}` });

/** The query parameters of every paginated list. */
export const listQuery = z.object({
  limit: once('a whole number')
    .regex(/^([1-9]\d?|100)$/, `must be a whole number from 1 to ${MAX_LIMIT}`)
    .transform(Number)
    .default(DEFAULT_LIMIT)
    .meta({
      description: `Items per page; ${DEFAULT_LIMIT} by default.`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      pattern: undefined,
    }),
  next_cursor: once('an earlier page gave it')
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page.' }),
});

export type ListQuery = z.output<typeof listQuery>;

/** A page of items. Its name in the API description is that of the item's schema with `Page`. */
export function listOf(item: z.ZodType) {
  const { id, examples } = item.meta() ?? {};
  const page = z.object({
    items: z.array(item),
    total: z.int().meta({ description: 'The number of items that match the filter.' }),
    has_more: z.boolean(),
    next_cursor: z.string().optional().meta({ description: 'Present when has_more is true.' }),
  });
  return page.meta({
    ...(id !== undefined && { id: `${id}Page` }),
    ...(Array.isArray(examples) && { examples: [{ items: examples, total: examples.length, has_more: false }] }),
  });
}
