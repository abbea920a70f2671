import { type Log, linkedSignal, type OpenAiServer, type RetryPolicy, retry } from '@parley/runtime';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import { standsAlone } from '../domain/stands-alone.ts';
import type { TokenBudget } from '../store/model-tokens.ts';
import type { Answerer, Question } from './answerer.ts';
import { createChatting } from './chat.ts';
import { ground, MalformedAnswer, MisquotedAnswer } from './ground.ts';
import { AnswerTooLong, ModelUnavailable, PromptTooLong, TokensSpent } from './model-errors.ts';
import { corrected, createPrompt, createRewriting, type Prompt, reconsidered, textOf } from './prompt.ts';
import { rewritten } from './rewritten.ts';
import { type Shown, showPassages } from './shown.ts';
import { isStrong } from './subject.ts';
import { estimateTokens } from './tokens.ts';

export interface OpenAiAnswererOptions extends OpenAiServer {
  model: string;
  /** Tokens of a prompt and its answer together. */
  contextTokens?: number;
  /** The most tokens of an answer. */
  answerTokens?: number;
  /** Answers if the model fails to support its answer, or may not be asked. */
  fallback: Answerer;
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
/** A model that ignores the format twice will ignore it again. */
const MALFORMED_ATTEMPTS = 2;
const LONGEST_PAUSE_MS = 10_000;
/** Share of the context that the history may take, in characters for each token. */
const HISTORY_SHARE = 0.5;
const MAX_HISTORY = 4_000;
/** Less text than this is no better than none. */
const FEWEST_TOKENS = 100;
/** A rewritten question is one sentence. */
const REWRITING_TOKENS = 150;
/** Share of the time for an answer. */
const REWRITING_SHARE = 0.25;

/** Why the model's own words are not used. The fallback answers. */
const UNUSABLE = [MisquotedAnswer, MalformedAnswer, AnswerTooLong, PromptTooLong, TokensSpent];
const isUnusable = (error: unknown): boolean => UNUSABLE.some((unusable) => error instanceof unusable);

/**
 * Answers with the model of any OpenAI-compatible server. The model quotes first; code finds the sources of its quotes,
 * and checks each sentence of the answer against them. Nothing is returned before it is proven. Because the quotes come
 * first and sentences are checked one by one, they could also be yielded as the model writes them.
 */
export function createOpenAiAnswerer(options: OpenAiAnswererOptions): Answerer {
  const { totalMs = 50_000, idleMs = totalMs * 0.6, backoffMs = 500, fallback, log } = options;
  const { contextTokens = 4_096, answerTokens = 1_024 } = options;
  const { apiKey, baseUrl, model } = options;
  const server = { apiKey, baseUrl, model, idleMs };
  const write = createChatting({ ...server, maxTokens: answerTokens }, options.budget);
  const rewrite = createChatting({ ...server, maxTokens: Math.min(answerTokens, REWRITING_TOKENS) }, options.budget);
  const frame = () => ({
    today: new Date(),
    historyCharacters: Math.min(MAX_HISTORY, contextTokens * HISTORY_SHARE),
  });

  /**
   * Gives a model that misquotes a second chance, and one that finds no answer where the search is sure of a passage: with
   * the same prompt, so that a server can reuse its cache of it. Whatever prevents that, its time for example, the first
   * attempt stands.
   */
  async function grounded(asked: Question, shown: Shown[], signal: AbortSignal): Promise<CitedAnswer> {
    let written = '';
    const ask = (prompt: Prompt) =>
      retry(
        async () => {
          written = await write({ account: asked.account, prompt, structured: true, signal });
          return ground(written, shown, asked.searched ?? asked.question);
        },
        retryPolicy(backoffMs),
        signal,
      );
    const prompt = createPrompt(asked, shown, frame());
    try {
      const answer = await ask(prompt);
      if (answer !== NO_EVIDENCE || !shown.some(isStrong)) return answer;
    } catch (error) {
      if (!(error instanceof MisquotedAnswer)) throw error;
      return await ask(corrected(prompt, error.written)).catch((failure) => {
        throw isUnusable(failure) ? failure : error;
      });
    }
    return await ask(reconsidered(prompt, written)).catch(() => NO_EVIDENCE);
  }

  /** Halves history and passages until the prompt fits into the model's context. */
  async function fitting(question: Question, signal: AbortSignal): Promise<CitedAnswer> {
    let room = contextTokens - answerTokens;
    for (let asked = question; ; asked = halved(asked)) {
      const used = estimateTokens(textOf(createPrompt(asked, [], frame())));
      const shown = showPassages(asked.passages, room - used);
      try {
        if (used + FEWEST_TOKENS > room) throw new PromptTooLong();
        return await grounded(asked, shown, signal);
      } catch (error) {
        const size = estimateTokens(shown.map(({ under, text }) => under + text).join(''));
        const isSmallest = asked.passages.length === 1 && asked.history.length === 0 && size < 2 * FEWEST_TOKENS;
        if (!(error instanceof PromptTooLong) || isSmallest) throw error;
        room = used + Math.max(size / 2, FEWEST_TOKENS);
      }
    }
  }

  return {
    name: `openai/${model}`,
    async answer(asked, signal) {
      using linked = linkedSignal([signal], totalMs);
      try {
        const answer = await fitting(asked, linked.signal);
        signal.throwIfAborted();
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!isUnusable(error)) {
          throw linked.late ? new Error(`The model did not finish its answer within ${totalMs / 1000} s.`) : error;
        }
        const { account } = asked;
        log?.info({ account, reason: (error as Error).message }, 'the answer quotes the pages, without the model');
        return { ...(await fallback.answer(asked, signal)), by: fallback.name };
      }
    },
    async rewrite(asked, signal) {
      if (asked.history.length === 0 || standsAlone(asked.question)) return asked.question;
      using linked = linkedSignal([signal], totalMs * REWRITING_SHARE);
      try {
        const chat = {
          account: asked.account,
          prompt: createRewriting(asked),
          structured: false,
          signal: linked.signal,
        };
        return rewritten(await rewrite(chat), asked);
      } catch (error) {
        signal.throwIfAborted();
        const reason = linked.late ? 'It took too long.' : (error as Error).message;
        log?.info({ account: asked.account, reason }, 'a question was not rewritten');
        return asked.question;
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

/** A policy counts the malformed answers of one question, so each question needs its own. */
function retryPolicy(backoffMs: number): RetryPolicy {
  let malformed = 0;
  return {
    attempts: ATTEMPTS,
    longestPauseMs: LONGEST_PAUSE_MS,
    backoffMs,
    pauseAfter(error, pauseMs) {
      if (error instanceof MalformedAnswer) return ++malformed < MALFORMED_ATTEMPTS ? 0 : undefined;
      return error instanceof ModelUnavailable ? (error.retryAfterMs ?? pauseMs) : undefined;
    },
  };
}
