import { createAnalyzer } from '@parley/language';
import { type Log, linkedSignal, type OpenAiServer, type RetryPolicy, retry } from '@parley/runtime';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import type { TokenBudget } from '../store/model-tokens.ts';
import type { Answerer, AnswerSink, Asked, Question, Rewritten } from './answerer.ts';
import { createChatting } from './chat.ts';
import { createDraft } from './draft.ts';
import { createExtractiveAnswerer, quoted } from './extractive.ts';
import { createMaterial, type Material } from './material.ts';
import { AnswerTooLong, ModelUnavailable, PromptTooLong, TokensSpent, UncitedAnswer } from './model-errors.ts';
import { corrected, createPrompt, createRewriting, type Prompt, textOf } from './prompt.ts';
import { readRewriting } from './rewrite.ts';
import { type Shown, showPassages } from './shown.ts';
import { withoutThoughts } from './thoughts.ts';
import { estimateTokens } from './tokens.ts';

export interface OpenAiAnswererOptions extends OpenAiServer {
  model: string;
  /** Tokens of a prompt and its answer together. */
  contextTokens?: number;
  /** The most tokens of an answer. */
  answerTokens?: number;
  budget?: TokenBudget | undefined;
  log?: Log | undefined;
  /** Limit for one answer, all attempts together. */
  totalMs?: number;
  /** The longest silence within one attempt, including the time to its first word. */
  idleMs?: number;
  /** The pause after the first failure if the server names none; it doubles with each further failure. */
  backoffMs?: number;
}

const ATTEMPTS = 4;
const LONGEST_PAUSE_MS = 10_000;
/** Share of the context that the history may take, in characters for each token. */
const HISTORY_SHARE = 0.5;
const MAX_HISTORY = 4_000;
/** Less text than this is no better than none. */
const FEWEST_TOKENS = 100;
/** Share of the time for an answer. */
const REWRITING_SHARE = 0.25;

/** Why the model's own words are not used. The fallback answers. */
const UNUSABLE = [UncitedAnswer, AnswerTooLong, PromptTooLong, TokensSpent];
const isUnusable = (error: unknown): boolean => UNUSABLE.some((unusable) => error instanceof unusable);

/**
 * Answers with the model of any OpenAI-compatible server. The model writes text with the numbers of its passages; each
 * sentence is checked and passed on while it writes the next.
 */
export function createOpenAiAnswerer(options: OpenAiAnswererOptions): Answerer {
  const { totalMs = 50_000, idleMs = totalMs * 0.6, backoffMs = 500, log } = options;
  const { contextTokens = 4_096, answerTokens = 1_024 } = options;
  const { apiKey, baseUrl, model } = options;
  const write = createChatting({ apiKey, baseUrl, model, idleMs, maxTokens: answerTokens }, options.budget);
  const analyze = createAnalyzer();
  const historyCharacters = Math.min(MAX_HISTORY, contextTokens * HISTORY_SHARE);
  /** Whether the server has left out the tag that opens a thought. */
  let thinksAloud = false;

  /** One answer of the model, asked again while its server is unavailable, but not once a part of it was passed on. */
  function drafted(
    account: string | undefined,
    prompt: Prompt,
    material: Material,
    signal: AbortSignal,
    to?: AnswerSink,
  ) {
    let isSent = false;
    const sink = to && {
      sources: to.sources,
      text(part: string) {
        isSent = true;
        to.text(part);
      },
    };
    const policy: RetryPolicy = {
      attempts: ATTEMPTS,
      longestPauseMs: LONGEST_PAUSE_MS,
      backoffMs,
      pauseAfter: (error, pauseMs) =>
        error instanceof ModelUnavailable && !isSent ? (error.retryAfterMs ?? pauseMs) : undefined,
    };
    return retry(
      async () => {
        let [draft, written] = [createDraft(material, sink), ''];
        const thoughts = withoutThoughts(
          {
            write(text) {
              written += text;
              draft.push(text);
            },
            restart() {
              thinksAloud = true;
              if (isSent)
                throw new Error('The model left out the tag that opens its thoughts; they are held from now on.');
              [draft, written] = [createDraft(material, sink), ''];
            },
          },
          thinksAloud,
        );
        try {
          await write({ account, prompt, write: thoughts.push, signal });
          thoughts.end();
          draft.end();
        } catch (error) {
          // What was cut off is left out.
          if (!isUnusable(error) || !draft.answer()) throw error;
        }
        return { draft, written };
      },
      policy,
      signal,
    );
  }

  /** Gives a model whose words can't be shown a second chance, with the same prompt: a server can reuse its cache of it. */
  async function checked(
    asked: Question,
    shown: Shown[],
    signal: AbortSignal,
    sink?: AnswerSink,
  ): Promise<CitedAnswer> {
    const today = new Date();
    const prompt = createPrompt(asked, shown, { today, historyCharacters });
    const material = createMaterial(asked, shown, { analyze, today });
    const { draft, written } = await drafted(asked.account, prompt, material, signal, sink);
    if (draft.declined()) return NO_EVIDENCE;
    const answer = draft.answer();
    if (answer) return answer;
    const again = corrected(prompt, written, draft.withheld);
    const { draft: second } = await drafted(asked.account, again, material, signal, sink).catch((error) => {
      throw isUnusable(error) || error instanceof ModelUnavailable ? new UncitedAnswer() : error;
    });
    const better = second.declined() ? NO_EVIDENCE : second.answer();
    if (!better) throw new UncitedAnswer();
    return better;
  }

  /** Halves history and passages until the prompt fits into the model's context. */
  async function fitting(question: Question, signal: AbortSignal, sink?: AnswerSink): Promise<CitedAnswer> {
    let room = contextTokens - answerTokens;
    for (let asked = question; ; asked = halved(asked)) {
      const frame = { today: new Date(), historyCharacters };
      const used = estimateTokens(textOf(createPrompt(asked, [], frame)));
      const shown = showPassages(asked.passages, room - used);
      try {
        if (used + FEWEST_TOKENS > room) throw new PromptTooLong();
        return await checked(asked, shown, signal, sink);
      } catch (error) {
        const size = estimateTokens(shown.map(({ under, text }) => under + text).join(''));
        const isSmallest = asked.passages.length === 1 && asked.history.length === 0 && size < 2 * FEWEST_TOKENS;
        if (!(error instanceof PromptTooLong) || isSmallest) throw error;
        room = used + Math.max(size / 2, FEWEST_TOKENS);
      }
    }
  }

  async function rewrite(asked: Asked, languages: readonly string[], signal: AbortSignal): Promise<Rewritten> {
    let written = '';
    const thoughts = withoutThoughts({ write: (text) => (written += text), restart: () => (written = '') }, false);
    await write({ account: asked.account, prompt: createRewriting(asked, languages), write: thoughts.push, signal });
    thoughts.end();
    return readRewriting(written, asked, languages, analyze);
  }

  return {
    name: `openai/${model}`,
    async answer(asked, signal, sink) {
      using linked = linkedSignal([signal], totalMs);
      try {
        const answer = await fitting(asked, linked.signal, sink);
        signal.throwIfAborted();
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!isUnusable(error)) {
          throw linked.late ? new Error(`The model did not finish its answer within ${totalMs / 1000} s.`) : error;
        }
        const { account } = asked;
        log?.info({ account, reason: (error as Error).message }, 'the answer quotes the pages, without the model');
        return { ...quoted(asked, 'low'), by: createExtractiveAnswerer().name };
      }
    },
    async rewrite(asked, languages, signal) {
      using linked = linkedSignal([signal], totalMs * REWRITING_SHARE);
      try {
        return await rewrite(asked, languages, linked.signal);
      } catch (error) {
        signal.throwIfAborted();
        const reason = linked.late ? 'It took too long.' : (error as Error).message;
        log?.info({ account: asked.account, reason }, 'a message was not rewritten');
        return { queries: [asked.question], asksNothing: false };
      }
    },
  };
}

/** The better half of the passages, the later half of the history. */
const halved = (question: Question): Question => ({
  ...question,
  history: question.history.slice(Math.ceil(question.history.length / 2)),
  passages: question.passages.slice(0, Math.ceil(question.passages.length / 2)),
});
