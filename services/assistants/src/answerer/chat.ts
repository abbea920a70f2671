import type { TokenBudget } from '../store/model-tokens.ts';
import type { ChatRequest, ChatServer } from './chat-request.ts';
import { RequestRejected, TokensSpent } from './model-errors.ts';
import { type Prompt, textOf } from './prompt.ts';
import { estimateTokens } from './tokens.ts';

export interface Chat {
  /** Whose tokens are spent; needed if there is a budget. */
  account: string | undefined;
  prompt: Prompt;
  /** Asks for the form of an answer instead of plain text. */
  structured: boolean;
  signal: AbortSignal;
}

type Features = Pick<ChatRequest, 'structured' | 'counted'>;

/**
 * Sends prompts to a model server. Requests structured output, and the number of tokens if there is a budget, until it
 * turns out that the server does not support them.
 *
 * @throws TokensSpent before anything is sent, if the budget has no room for the prompt and the longest answer; and what
 * `createChat` throws
 */
export function createChatting(server: ChatServer, budget: TokenBudget | undefined) {
  // Loaded lazily: slow, and unused without a model server.
  const loaded = import('./chat-request.ts').then(({ createChat }) => createChat(server));
  let supported: Features = { structured: true, counted: budget !== undefined };

  async function paid(chat: Chat, features: Features): Promise<string> {
    const send = await loaded;
    const request = { prompt: chat.prompt, signal: chat.signal, ...features };
    if (!budget) return await send({ ...request, spent: () => {} });
    if (chat.account === undefined) throw new Error('A model with a budget of tokens was asked for no account.');
    const reserved = estimateTokens(textOf(chat.prompt)) + server.maxTokens;
    const reservation = await budget.reserve(chat.account, reserved);
    if (!reservation) throw new TokensSpent();
    let used = reserved;
    try {
      return await send({ ...request, spent: (tokens) => (used = tokens) });
    } finally {
      await reservation.settle(used);
    }
  }

  return async (chat: Chat): Promise<string> => {
    for (const features of fallbacks(supported)) {
      try {
        const written = await paid(chat, { ...features, structured: features.structured && chat.structured });
        if (chat.structured) supported = features;
        return written;
      } catch (error) {
        const isLast = !features.structured && !features.counted;
        if (!(error instanceof RequestRejected) || isLast) throw error;
      }
    }
    throw new RequestRejected('The model server rejected the request.');
  };
}

/** What to try, in order: a server more often lacks structured output than the count. */
const fallbacks = ({ structured, counted }: Features): Features[] => [
  { structured, counted },
  ...(structured && counted ? [{ structured: false, counted }] : []),
  ...(counted && structured ? [{ structured, counted: false }] : []),
  ...(structured || counted ? [{ structured: false, counted: false }] : []),
];
