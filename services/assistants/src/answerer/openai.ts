import { setTimeout as delay } from 'node:timers/promises';
import type { ModelConfig } from '../config.ts';
import type { Answerer } from './answerer.ts';
import { ModelUnavailable, requestAnswer } from './chat-request.ts';
import { ground, MalformedAnswer } from './ground.ts';
import { createPrompt } from './prompt.ts';

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
  const { totalMs = 50_000, idleMs = 30_000, backoffMs = 500, ...model } = options;
  const server = { ...model, idleMs };

  return {
    async answer(question, signal) {
      const late = AbortSignal.timeout(totalMs);
      const either = AbortSignal.any([signal, late]);
      const attempt = async () =>
        ground(await requestAnswer(server, createPrompt(question), either), question.passages);
      try {
        return await patiently(attempt, backoffMs, either);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) throw new Error(`The model did not finish its answer within ${totalMs / 1000} s.`);
        throw error;
      }
    },
  };
}

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
