import { type Analyzer, createAnalyzer } from '@parley/language';
import {
  estimateTokens,
  type Log,
  linkedSignal,
  type Metrics,
  type OpenAiServer,
  type ProbePauses,
  traced,
} from '@parley/runtime';
import type { TokenBudget } from '@parley/runtime/mongo';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import type { Answerer, AnswerSink, Asked, Question, Rewritten } from './answerer.ts';
import { createChatting } from './chat.ts';
import { createDrafting, type Drafting } from './drafting.ts';
import { createExtractiveAnswerer, quoted } from './extractive.ts';
import { createMaterial } from './material.ts';
import { isUnusable, ModelUnavailable, PromptTooLong, UncitedAnswer } from './model-errors.ts';
import { corrected, createPrompt, createRewriting, textOf } from './prompt.ts';
import { readRewriting } from './rewrite.ts';
import { type Shown, showPassages } from './shown.ts';
import { withoutThoughts } from './thoughts.ts';

export interface OpenAiAnswererOptions extends OpenAiServer {
  model: string;
  /** Tokens of a prompt and its answer together. */
  contextTokens?: number;
  /** The most tokens of an answer. */
  answerTokens?: number;
  budget?: Pick<TokenBudget, 'reserve'> | undefined;
  log?: Log | undefined;
  metrics?: Pick<Metrics, 'step' | 'answered'> | undefined;
  /** Limit for one answer, all attempts together. */
  totalMs?: number;
  /** The longest silence within one attempt, including the time to its first word. */
  idleMs?: number;
  /** The pause after the first failure if the server names none; it doubles with each further failure. */
  backoffMs?: number;
  pauses?: ProbePauses;
}

/** Share of the context that the history may take, in characters for each token. */
const HISTORY_SHARE = 0.5;
const MAX_HISTORY = 4_000;
/** Less text than this is no better than none. */
const FEWEST_TOKENS = 100;
/** Share of the time for an answer. */
const REWRITING_SHARE = 0.25;

/**
 * Answers with the model of any OpenAI-compatible server. The model writes text with the numbers of its passages; each
 * sentence is checked and passed on while it writes the next.
 */
export function createOpenAiAnswerer(options: OpenAiAnswererOptions): Answerer {
  const { totalMs = 50_000, idleMs = totalMs * 0.6, backoffMs = 500, log } = options;
  const { contextTokens = 4_096, answerTokens = 1_024, apiKey, baseUrl, model } = options;
  const write = createChatting({ apiKey, baseUrl, model, idleMs, maxTokens: answerTokens }, options);
  const analyze = createAnalyzer();
  const context: Context = {
    draft: createDrafting(write, backoffMs, options.metrics),
    analyze,
    room: contextTokens - answerTokens,
    historyCharacters: Math.min(MAX_HISTORY, contextTokens * HISTORY_SHARE),
  };

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
        const answer = await fitting(context, asked, linked.signal, sink);
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
      const began = performance.now();
      try {
        return await traced('rewrite', {}, () => rewrite(asked, languages, linked.signal));
      } catch (error) {
        signal.throwIfAborted();
        const reason = linked.late ? 'It took too long.' : (error as Error).message;
        log?.info({ account: asked.account, reason }, 'a message was not rewritten');
        return { queries: [asked.question], asksNothing: false };
      } finally {
        options.metrics?.step('rewrite', (performance.now() - began) / 1_000);
      }
    },
  };
}

interface Context {
  draft: Drafting;
  analyze: Analyzer;
  /** Tokens of a prompt. */
  room: number;
  historyCharacters: number;
}

/** Halves history and passages until the prompt fits into the model's context. */
async function fitting(context: Context, question: Question, signal: AbortSignal, sink?: AnswerSink) {
  const { historyCharacters } = context;
  let { room } = context;
  for (let asked = question; ; asked = halved(asked)) {
    const used = estimateTokens(textOf(createPrompt(asked, [], { today: new Date(), historyCharacters })));
    const shown = showPassages(asked.passages, room - used);
    try {
      if (used + FEWEST_TOKENS > room) throw new PromptTooLong();
      return await checked(context, asked, shown, signal, sink);
    } catch (error) {
      const size = estimateTokens(shown.map(({ under, text }) => under + text).join(''));
      const isSmallest = asked.passages.length === 1 && asked.history.length === 0 && size < 2 * FEWEST_TOKENS;
      if (!(error instanceof PromptTooLong) || isSmallest) throw error;
      room = used + Math.max(size / 2, FEWEST_TOKENS);
    }
  }
}

/** Gives a model whose words can't be shown a second chance, with the same prompt: a server can reuse its cache of it. */
async function checked(
  { draft, analyze, historyCharacters }: Context,
  asked: Question,
  shown: Shown[],
  signal: AbortSignal,
  sink: AnswerSink | undefined,
): Promise<CitedAnswer> {
  const today = new Date();
  const prompt = createPrompt(asked, shown, { today, historyCharacters });
  const work = { account: asked.account, material: createMaterial(asked, shown, { analyze, today }), signal, sink };
  const first = await draft({ ...work, prompt });
  const answer = first.declined() ? NO_EVIDENCE : first.answer();
  if (answer) return answer;
  const again = corrected(prompt, first.written(), first.withheld);
  const second = await draft({ ...work, prompt: again }).catch((error) => {
    throw isUnusable(error) || error instanceof ModelUnavailable ? new UncitedAnswer() : error;
  });
  const better = second.declined() ? NO_EVIDENCE : second.answer();
  if (!better) throw new UncitedAnswer();
  return better;
}

/** The better half of the passages, the later half of the history. */
const halved = (question: Question): Question => ({
  ...question,
  history: question.history.slice(Math.ceil(question.history.length / 2)),
  passages: question.passages.slice(0, Math.ceil(question.passages.length / 2)),
});
