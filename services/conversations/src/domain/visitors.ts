import { emailAddress, invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

/** The person that a chat is with. What is unknown is empty. */
export interface Visitor {
  id: string;
  name: string;
  email: string;
  /** On the page that shows the chatbot. */
  user_id: string;
  /** That page vouches for all of this. */
  verified: boolean;
}

export const VOTES = ['up', 'down'] as const;
export type VoteKind = (typeof VOTES)[number];

/** Answers of a chat that may have votes: they are kept in its thread. */
export const MAX_VOTES = 100;
/** Code points. */
export const MAX_REASON = 500;

const MAX_ID = 100;
const MAX_NAME = 200;
const MAX_USER_ID = 200;

/** Returns the visitor as given. @throws AppError `invalid_argument` that names the field. */
export function checkVisitor(visitor: Visitor): Visitor {
  requiredText('visitor.id', visitor.id, MAX_ID);
  if (visitor.email !== '') emailAddress('email', visitor.email);
  const lines = { name: [visitor.name, MAX_NAME], user_id: [visitor.user_id, MAX_USER_ID] } as const;
  for (const [field, [text, max]] of Object.entries(lines)) {
    if (text !== '') requiredText(field, text, max);
    if (/[\r\n\u2028\u2029]/.test(text)) throw invalidArgument(`${field} must not have line breaks.`);
  }
  if (visitor.verified) requiredText('user_id', visitor.user_id, MAX_USER_ID);
  return visitor;
}

/**
 * Returns the keys of a visitor's block, the first of which names all chats of the same person: a verified one is known by
 * their id on the page, and anyone by the visitor that their first message made.
 */
export const addressesOf = ({ id, user_id, verified }: Visitor): [string, ...string[]] =>
  verified ? [`user ${user_id}`, `visitor ${id}`] : [`visitor ${id}`];
