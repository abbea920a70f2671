import { setTimeout as delay } from 'node:timers/promises';
import { linkedSignal } from '@parley/runtime';
import type { ModelConfig } from '../config.ts';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import type { Answerer, Question } from './answerer.ts';
import { ground, MalformedAnswer, MisquotedAnswer } from './ground.ts';
import { ModelUnavailable, PromptTooLong, RequestRejected } from './model-errors.ts';
import { corrected, createPrompt, type Prompt } from './prompt.ts';

export interface OpenAiAnswererOptions extends ModelConfig {
  /** Of one answer, all attempts together. */
  totalMs?: number;
  /** The longest silence within one attempt, before its first word too. */
  idleMs?: number;
  /** The first pause before trying again, where the server names none; it doubles. */
  backoffMs?: number;
}

const ATTEMPTS = 4;
/** A model that writes something else twice will do so again. */
const MALFORMED_ATTEMPTS = 2;
const LONGEST_PAUSE_MS = 10_000;

/** Answers by any OpenAI-compatible server: quotes first, sources found in code, patient within bounds. */
export function createOpenAiAnswerer(options: OpenAiAnswererOptions): Answerer {
  const { totalMs = 50_000, idleMs = totalMs * 0.6, backoffMs = 500, ...model } = options;
  const request = createRequest({ ...model, idleMs });

  return {
    async answer(asked, signal) {
      using linked = linkedSignal([signal], totalMs);
      const ask = (prompt: Prompt, { passages }: Question) =>
        patiently(async () => ground(await request(prompt, linked.signal), passages), backoffMs, linked.signal);
      try {
        return await fitting(asked, (question) => quoting(question, ask));
      } catch (error) {
        signal.throwIfAborted();
        if (linked.late) throw new Error(`The model did not finish its answer within ${totalMs / 1000} s.`);
        throw error;
      }
    },
  };
}

/** Gives a model that misquotes a second chance. The prompt stays: a server that remembers it reads only what is new. */
async function quoting(
  question: Question,
  ask: (prompt: Prompt, question: Question) => Promise<CitedAnswer>,
): Promise<CitedAnswer> {
  let prompt = createPrompt(question);
  for (let chance = 1; chance <= 2; chance++) {
    try {
      return await ask(prompt, question);
    } catch (error) {
      if (!(error instanceof MisquotedAnswer)) throw error;
      prompt = corrected(prompt, error.written);
    }
  }
  return NO_EVIDENCE;
}

/** Requests answers in a form that the server guarantees, until one turns out not to know how. */
function createRequest(server: ModelConfig & { idleMs: number }) {
  // LangChain takes most of a second to load, which those do without who name no server.
  const chat = import('./chat-request.ts').then(({ createChat }) => createChat(server));
  let structured = true;
  return async (prompt: Prompt, signal: AbortSignal): Promise<string> => {
    const request = await chat;
    if (structured) {
      try {
        return await request({ prompt, structured, signal });
      } catch (error) {
        if (!(error instanceof RequestRejected)) throw error;
      }
    }
    const written = await request({ prompt, structured: false, signal });
    structured = false;
    return written;
  };
}

/** Where the model has no room for all that it is given, half of it will do, and half of that. */
async function fitting(asked: Question, answer: (question: Question) => Promise<CitedAnswer>): Promise<CitedAnswer> {
  for (let question = asked; ; question = halved(question)) {
    try {
      return await answer(question);
    } catch (error) {
      const atLeast = question.passages.length === 1 && question.history.length === 0;
      if (!(error instanceof PromptTooLong) || atLeast) throw error;
    }
  }
}

/** The better half of the passages, the later half of what was said. */
const halved = ({ question, history, passages }: Question): Question => ({
  question,
  history: history.slice(Math.ceil(history.length / 2)),
  passages: passages.slice(0, Math.ceil(passages.length / 2)),
});

async function patiently<T>(attempt: () => Promise<T>, backoffMs: number, signal: AbortSignal): Promise<T> {
  let malformed = 0;
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof MalformedAnswer) malformed++;
      else if (!(error instanceof ModelUnavailable)) throw error;
      if (tried === ATTEMPTS || malformed === MALFORMED_ATTEMPTS) throw error;
      const pauseMs = pauseBefore(error, backoffMs * 2 ** (tried - 1));
      if (pauseMs > LONGEST_PAUSE_MS) throw error;
      // Timers report an abort as their own error; callers are promised the signal's reason.
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Milliseconds; what the server asks for, or else a pause that spreads its askers. */
function pauseBefore(error: Error, backoffMs: number): number {
  if (error instanceof MalformedAnswer) return 0;
  return (error as ModelUnavailable).retryAfterMs ?? backoffMs * (0.5 + Math.random() / 2);
}
