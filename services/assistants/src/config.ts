import {
  type Env,
  type OpenAiServer,
  readOpenAiModels,
  readOpenAiServer,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';
import type { ReplyLimits } from './replies.ts';
import type { SeededSystem } from './seed-program.ts';

export interface AssistantsConfig extends ServiceConfig {
  /** Addresses of the services that a reply needs: host:port. */
  knowledge: string;
  conversations: string;
  /** If absent, replies are excerpts of the passages, without a model. */
  model?: ModelConfig | undefined;
  /** Time from storing the question to storing the answer. */
  replyMs: number;
  replies: ReplyLimits;
}

export interface ModelConfig extends OpenAiServer {
  model: string;
  /** Tokens of a prompt and its answer together. */
  contextTokens: number;
  /** The most tokens of an answer. */
  answerTokens: number;
  /** The most tokens that an account may use in a day; absent: no limit. */
  tokensPerDay?: number | undefined;
}

/** Many servers of local models have this context by default, and silently drop the beginning of a longer prompt. */
const LOCAL_CONTEXT = 4_096;
/** Enough for whole sections; OpenAI's models accept more. */
const OPENAI_CONTEXT = 16_384;
/** The rules take a fourth of it. */
const MIN_CONTEXT = 2_048;
const ANSWER_TOKENS = 1_024;
/** What they think counts, too. */
const REASONING_ANSWER_TOKENS = 8_192;

/** How long a client waits for a reply. The gateway has the same default for REPLY_TIMEOUT_SECONDS. */
const DEFAULT_REPLY_SECONDS = 75;
/** Share of the client's timeout; the rest is left for the gateway to report failure. */
const REPLY_SHARE = 0.8;
/** A reply mostly waits, and holds a question and its passages in memory: about 100 KiB. */
const DEFAULT_REPLIES = 200;
const DEFAULT_REPLIES_PER_ASSISTANT = 50;

export const readConfig = (env: Env): AssistantsConfig => ({
  ...readServiceConfig(env, 'assistants'),
  knowledge: env.address('KNOWLEDGE_ADDRESS'),
  conversations: env.address('CONVERSATIONS_ADDRESS'),
  model: readModelConfig(env),
  replyMs: env.integer('REPLY_TIMEOUT_SECONDS', DEFAULT_REPLY_SECONDS, { min: 1, max: 600 }) * 1000 * REPLY_SHARE,
  replies: {
    atOnce: env.integer('REPLIES_AT_ONCE', DEFAULT_REPLIES, { min: 1 }),
    atOncePerAssistant: env.integer('REPLIES_AT_ONCE_PER_ASSISTANT', DEFAULT_REPLIES_PER_ASSISTANT, { min: 1 }),
  },
});

export function readModelConfig(env: Env): ModelConfig | undefined {
  const server = readOpenAiServer(env);
  if (!server) return undefined;
  const model = readOpenAiModels(env).chat;
  const context = { min: MIN_CONTEXT, max: 10_000_000 };
  const contextTokens = env.integer('OPENAI_CONTEXT_TOKENS', server.baseUrl ? LOCAL_CONTEXT : OPENAI_CONTEXT, context);
  const usual = isReasoningModel(model) ? REASONING_ANSWER_TOKENS : ANSWER_TOKENS;
  // The rest is for the prompt.
  const most = Math.floor(contextTokens / 2);
  return {
    ...server,
    model,
    contextTokens,
    answerTokens: env.integer('OPENAI_ANSWER_TOKENS', Math.min(usual, most), { min: 64, max: most }),
    tokensPerDay: env.integer('MODEL_TOKENS_PER_DAY', 0) || undefined,
  };
}

/** Models of OpenAI that think before they answer. */
const isReasoningModel = (model: string): boolean => /^(o\d|gpt-5)/.test(model);

/** CONVERSATIONS_ADDRESS, ASSISTANTS_ADDRESS and the secret; the latter address defaults to the same container's. */
export const readSeedConfig = (env: Env): SeededSystem => ({
  assistants: env.address('ASSISTANTS_ADDRESS', `127.0.0.1:${env.integer('RPC_PORT', 0, { max: 65_535 })}`),
  conversations: env.address('CONVERSATIONS_ADDRESS'),
  secret: readSecret(env),
});
