import { estimateTokens } from '@parley/runtime';
import type { TokenBudget } from '@parley/runtime/mongo';
import type { ChatRequest, ChatServer } from './chat-request.ts';
import { RequestRejected, TokensSpent } from './model-errors.ts';
import { type Prompt, textOf } from './prompt.ts';

export interface Chat {
  /** Whose tokens are spent; needed if there is a budget. */
  account: string | undefined;
  prompt: Prompt;
  write(text: string): void;
  signal: AbortSignal;
}

type Features = Pick<ChatRequest, 'steady' | 'counted'>;

/**
 * Sends prompts to a model server. Asks for a steady answer, and for the number of tokens if there is a budget, until it
 * turns out that the server does not support them.
 *
 * @throws TokensSpent before anything is sent, if the budget has no room for the prompt and the longest answer; and what
 * `createChat` throws
 */
export function createChatting(server: ChatServer, budget: Pick<TokenBudget, 'reserve'> | undefined) {
  // Loaded lazily: slow, and unused without a model server.
  const loaded = import('./chat-request.ts').then(({ createChat }) => createChat(server));
  let supported: Features = { steady: true, counted: budget !== undefined };

  async function paid({ account, ...chat }: Chat, features: Features): Promise<void> {
    const send = await loaded;
    if (!budget) return await send({ ...chat, ...features, spent: () => {} });
    if (account === undefined) throw new Error('A model with a budget of tokens was asked for no account.');
    const reserved = estimateTokens(textOf(chat.prompt)) + server.maxTokens;
    const reservation = await budget.reserve(account, reserved);
    if (!reservation) throw new TokensSpent();
    let used = reserved;
    try {
      await send({ ...chat, ...features, spent: (tokens) => (used = tokens) });
    } finally {
      await reservation.settle(used);
    }
  }

  return async (chat: Chat): Promise<void> => {
    for (const features of fallbacks(supported)) {
      try {
        await paid(chat, features);
        supported = features;
        return;
      } catch (error) {
        const isLast = !features.steady && !features.counted;
        if (!(error instanceof RequestRejected) || isLast) throw error;
      }
    }
  };
}

/** Returns what to try, in order. */
const fallbacks = (supported: Features): Features[] =>
  [true, false]
    .flatMap((steady) => [true, false].map((counted) => ({ steady, counted })))
    .filter(({ steady, counted }) => (supported.steady || !steady) && (supported.counted || !counted));
