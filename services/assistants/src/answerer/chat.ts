import { createLatestAnswer, estimateTokens, type Metrics, type ProbePauses, traced } from '@parley/runtime';
import type { TokenBudget } from '@parley/runtime/mongo';
import type { ChatRequest, ChatServer } from './chat-request.ts';
import { AnswerTooLong, ModelUnavailable, PromptTooLong, RequestRejected, TokensSpent } from './model-errors.ts';
import { type Prompt, textOf } from './prompt.ts';

export interface Chat {
  /** Whose tokens are spent; needed if there is a budget. */
  account: string | undefined;
  prompt: Prompt;
  write(text: string): void;
  signal: AbortSignal;
}

/** As short as a prompt can be: it is sent while the server is down, to find out when it answers again. */
const PROBE: Prompt = { system: 'Answer with one word.', user: 'Hello' };
/** What only a server that answers can be the cause of. */
const ANSWERS = [AnswerTooLong, PromptTooLong, RequestRejected];

type Features = Pick<ChatRequest, 'steady' | 'counted'>;

/**
 * Sends prompts to a model server. Asks for a steady answer, and for the number of tokens if there is a budget, until it
 * turns out that the server does not support them.
 *
 * @throws TokensSpent before anything is sent, if the budget has no room for the prompt and the longest answer; and what
 * `createChat` throws
 */
export function createChatting(
  server: ChatServer,
  {
    budget,
    metrics,
    pauses,
  }: {
    budget?: Pick<TokenBudget, 'reserve'> | undefined;
    metrics?: Pick<Metrics, 'answered'> | undefined;
    pauses?: ProbePauses;
  },
) {
  // Loaded lazily: slow, and unused without a model server.
  const requests = import('./chat-request.ts');
  const loaded = requests.then(({ createChat }) => createChat(server));
  const latest = metrics && createLatestAnswer((isUp) => metrics.answered('model', isUp), probe, pauses);
  let supported: Features = { steady: true, counted: budget !== undefined };

  async function probe(signal: AbortSignal): Promise<void> {
    const { createChat } = await requests;
    const request = { prompt: PROBE, steady: false, counted: false, write: () => {}, spent: () => {}, signal };
    await createChat({ ...server, maxTokens: 1 })(request).catch((error) => {
      if (!ANSWERS.some((answers) => error instanceof answers)) throw error;
    });
  }

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
        const attributes = { 'gen_ai.request.model': server.model };
        await traced('model', { kind: 'client', attributes }, () => paid(chat, features));
        supported = features;
        latest?.answered(true);
        return;
      } catch (error) {
        if (error instanceof ModelUnavailable) latest?.answered(false);
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
