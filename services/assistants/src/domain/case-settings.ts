import { emailAddress, invalidArgument } from '@parley/runtime';

/** Modes of the AI's answers in tickets and emails, in the order of the contract's enum. */
export const AI_REPLIES = ['auto', 'draft', 'off'] as const;
export type AiReply = (typeof AI_REPLIES)[number];

/** How the owner wants the tickets of a form, or the emails of an inbox, to be handled. */
export interface CaseSettings {
  ai_reply: AiReply;
  /** Addresses that hear of new conversations, and of those that wait for a person. */
  notify: string[];
}

export const CASE_SETTINGS = ['ai_reply', 'notify'] as const;

const MAX_ADDRESSES = 20;

/** Nobody's customers get mail from a machine unasked. */
export const caseSettings = (stored: Partial<CaseSettings>): CaseSettings => ({
  ai_reply: stored.ai_reply ?? 'draft',
  notify: stored.notify ?? [],
});

/** Returns each address once. @throws AppError `invalid_argument` for too many, or one that is none. */
export function checkNotify(addresses: readonly string[]): string[] {
  if (addresses.length > MAX_ADDRESSES) throw invalidArgument(`notify must have at most ${MAX_ADDRESSES} addresses.`);
  return [...new Set(addresses.map((address, i) => emailAddress(`notify[${i}]`, address)))];
}
