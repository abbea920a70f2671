import { expect } from '@jest/globals';
import type { Passage } from '../../domain/cite.ts';
import type { Question } from '../answerer.ts';
import { createExtractiveAnswerer, quoted } from '../extractive.ts';
import { createOpenAiAnswerer, type OpenAiAnswererOptions } from '../openai.ts';
import type { startModelServer } from './model-server.ts';

export const KEY = 'sk-very-secret';
export const hours: Passage = {
  title: 'Hours',
  url: 'https://shop.example/hours',
  text: 'The shop opens at nine. It never sleeps.',
  score: 1,
  evidence: 0.9,
};
/** A model's right answer. */
export const good = 'At nine [1].';
/** The message made of it. */
export const cited = 'At nine [1].\n\nSources:\n[1] Hours - https://shop.example/hours';
export const asked: Question = { question: 'When does the shop open?', history: [], passages: [hours] };

/** The quote in place of the model's answer. */
export const instead = { ...quoted(asked, 'low'), by: createExtractiveAnswerer().name };

export type Server = Awaited<ReturnType<typeof startModelServer>>;

/** Asks a model server. */
export const ask = (
  { baseUrl }: Pick<Server, 'baseUrl'>,
  question: Partial<Question> = {},
  options: Partial<OpenAiAnswererOptions> = {},
  signal = new AbortController().signal,
) =>
  createOpenAiAnswerer({ apiKey: KEY, baseUrl, model: 'stub', backoffMs: 5, ...options }).answer(
    { ...asked, ...question },
    signal,
  );

/** Returns the error of an answer, checked not to hold the key. */
export async function failure(answer: Promise<unknown>): Promise<Error> {
  const error = await answer.then(
    () => new Error('it was answered'),
    (thrown: Error) => thrown,
  );
  // However a log prints it.
  expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY);
  return error;
}

/** A question that can't be understood without what was said. */
export const followUp = {
  question: 'And on Sundays?',
  history: [
    { by: 'user', message: 'When does the shop open?' },
    { by: 'assistant', message: cited },
  ],
} as const;
