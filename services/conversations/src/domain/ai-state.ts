/** States of the AI in a ticket or an email, in the order of the contract's enum. */
export const AI_STATES = ['pending', 'answered', 'draft', 'held', 'off'] as const;
export type AiState = (typeof AI_STATES)[number];

interface Thread {
  hold: Date | null;
  pending: { due?: true } | null;
  draft?: unknown;
  answered?: boolean;
}

/** A person who has taken over comes first: they may have left a draft. */
export function aiState({ hold, pending, draft, answered }: Thread): AiState {
  if (hold) return 'held';
  if (pending?.due) return 'pending';
  if (draft) return 'draft';
  return answered ? 'answered' : 'off';
}
