import type { z } from 'zod';

/** An event as accounts read it. */
export interface EventDefinition<D extends z.ZodObject = z.ZodObject> {
  /** When it happens, in a sentence. */
  summary: string;
  /** The version of the schema: goes up with every change but a new field. */
  version: number;
  /** Ids, numbers and names: what people have written is read with a key that may. */
  data: D;
  example: z.output<D>;
}

export const event = <D extends z.ZodObject>(
  summary: string,
  data: D,
  example: z.output<D>,
  version = 1,
): EventDefinition<D> => ({ summary, version, data, example });
