import { z } from 'zod';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PUBLIC_ID = /^[A-Za-z0-9]{8,32}$/;

/** Lower-cased, unlike a public id. */
const ALIAS = /^[a-z0-9][a-z0-9._-]{1,63}$/;
const ALIAS_RULE =
  'must have 2 to 64 letters, digits, dots, underscores or hyphens, the first of them a letter or a digit';

const lower = (id: string): string => id.toLowerCase();

/** An internal id: any UUID in any case. */
export const uuid = z
  .string()
  .regex(UUID, 'must be a UUID')
  .transform(lower)
  .meta({ description: 'The id, a UUID.', format: 'uuid', pattern: undefined });

/** The internal id (in any case) or the public id (case-sensitive) of a chatbot or a ticket form. */
export const assistantId = z
  .string()
  .refine((id) => UUID.test(id) || PUBLIC_ID.test(id), 'must be a UUID or a public id')
  .transform((id) => (UUID.test(id) ? lower(id) : id))
  .meta({ description: 'The internal or the public id.' });

/** The internal id or the alias of an email inbox, both in any case. */
export const inboxId = z
  .string()
  .transform(lower)
  .refine((id) => UUID.test(id) || ALIAS.test(id), 'must be a UUID or an alias')
  .meta({ description: 'The internal id or the alias.' });

/** The alias of an email inbox in a body, in any case. The service knows which ones are reserved. */
export const alias = z
  .string()
  .transform(lower)
  .refine((text) => ALIAS.test(text), ALIAS_RULE)
  .refine((text) => !UUID.test(text), 'must not be a UUID')
  .meta({ description: 'The local part of its address; lower-cased, unique over all accounts.', maxLength: 64 });
