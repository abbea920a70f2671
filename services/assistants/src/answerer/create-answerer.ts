import type { Log, Metrics } from '@parley/runtime';
import type { TokenBudget } from '@parley/runtime/mongo';
import type { ModelConfig } from '../config.ts';
import type { Answerer } from './answerer.ts';
import { createExtractiveAnswerer } from './extractive.ts';
import { createOpenAiAnswerer } from './openai.ts';

/** The model's share of a reply's time. The rest is for the search and for storing the answer. */
const SHARE = 5 / 6;

export interface AnswererDependencies {
  /** Time for a whole reply. */
  replyMs: number;
  budget: Pick<TokenBudget, 'reserve'> | undefined;
  log: Log;
  metrics?: Pick<Metrics, 'step' | 'answered'>;
}

export function createAnswerer(
  model: ModelConfig | undefined,
  { replyMs, budget, log, metrics }: AnswererDependencies,
): Answerer {
  if (!model) return createExtractiveAnswerer();
  return createOpenAiAnswerer({ ...model, totalMs: replyMs * SHARE, budget, log, metrics });
}
