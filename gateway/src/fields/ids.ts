import { z } from 'zod';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PUBLIC_ID = /^[A-Za-z0-9]{8,32}$/;

const lower = (id: string): string => id.toLowerCase();

/** An internal id: any UUID in any case. */
export const uuid = z
  .string()
  .regex(UUID, 'must be a UUID')
  .transform(lower)
  .meta({ format: 'uuid', pattern: undefined });

/** The internal id (any case) or the public id (as it is) of a chatbot or a ticket form. */
export const assistantId = z
  .string()
  .refine((id) => UUID.test(id) || PUBLIC_ID.test(id), 'must be a UUID or a public id')
  .transform((id) => (UUID.test(id) ? lower(id) : id))
  .meta({ description: 'The internal id, or the public id.' });
