import type { ModelConfig } from '../config.ts';
import type { Answerer } from './answerer.ts';
import { createExtractiveAnswerer } from './extractive.ts';
import { createOpenAiAnswerer } from './openai.ts';

export const createAnswerer = (model: ModelConfig | undefined): Answerer =>
  model ? createOpenAiAnswerer(model) : createExtractiveAnswerer();
