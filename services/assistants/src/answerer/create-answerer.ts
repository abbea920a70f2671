import type { ModelConfig } from '../config.ts';
import type { Answerer } from './answerer.ts';
import { createExtractiveAnswerer } from './extractive.ts';
import { createOpenAiAnswerer } from './openai.ts';

/** The model's share of a reply's time; in the rest the question is searched for and the answer stored. */
const SHARE = 5 / 6;

export const createAnswerer = (model: ModelConfig | undefined, replyMs: number): Answerer =>
  model ? createOpenAiAnswerer({ ...model, totalMs: replyMs * SHARE }) : createExtractiveAnswerer();
