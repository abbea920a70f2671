import {
  ConfigError,
  type Env,
  type OpenAiServer,
  readOpenAiModels,
  readOpenAiServer,
  readPepper,
  readRpcTls,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';
import type { ReplyLimits } from './replies.ts';
import type { SeededSystem } from './seed-program.ts';

export interface AssistantsConfig extends ServiceConfig {
  /** Secret from which identity secrets are derived. */
  pepper: string;
  /** Addresses of the services that a reply needs: host:port. */
  knowledge: string;
  conversations: string;
  /** If absent, replies are excerpts of the passages, without a model. */
  model?: ModelConfig | undefined;
  /** The most tokens of the model that an account may use in a day. */
  modelTokensPerDay: number;
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
}

/** Many servers of local models have this context by default, and silently drop the beginning of a longer prompt. */
const LOCAL_CONTEXT = 4_096;
/** Enough for whole sections; OpenAI's models accept more. */
const OPENAI_CONTEXT = 16_384;
const ANSWER_TOKENS = 1_024;
/** Reasoning tokens count, too. */
const REASONING_ANSWER_TOKENS = 8_192;

/** Share of the client's timeout; the rest is left for the gateway to report failure. */
const REPLY_SHARE = 0.8;

export const readConfig = (env: Env): AssistantsConfig => ({
  ...readServiceConfig(env, 'assistants'),
  pepper: readPepper(env),
  knowledge: env.get('KNOWLEDGE_ADDRESS'),
  conversations: env.get('CONVERSATIONS_ADDRESS'),
  model: readModelConfig(env),
  modelTokensPerDay: env.get('MODEL_TOKENS_PER_DAY') || Infinity,
  replyMs: env.get('REPLY_TIMEOUT_SECONDS') * 1000 * REPLY_SHARE,
  replies: {
    atOnce: env.get('REPLIES_AT_ONCE'),
    atOncePerAssistant: env.get('REPLIES_AT_ONCE_PER_ASSISTANT'),
  },
});

export function readModelConfig(env: Env): ModelConfig | undefined {
  const server = readOpenAiServer(env);
  if (!server) return undefined;
  const model = readOpenAiModels(env).chat;
  const contextTokens = env.get('OPENAI_CONTEXT_TOKENS') ?? (server.baseUrl ? LOCAL_CONTEXT : OPENAI_CONTEXT);
  const usual = isReasoningModel(model) ? REASONING_ANSWER_TOKENS : ANSWER_TOKENS;
  // The rest is for the prompt.
  const most = Math.floor(contextTokens / 2);
  const answerTokens = env.get('OPENAI_ANSWER_TOKENS') ?? Math.min(usual, most);
  if (answerTokens > most)
    throw new ConfigError(`OPENAI_ANSWER_TOKENS must be at most ${most}, half of OPENAI_CONTEXT_TOKENS.`);
  return {
    ...server,
    model,
    contextTokens,
    answerTokens,
  };
}

/** Models of OpenAI that think before they answer. */
const isReasoningModel = (model: string): boolean => /^(o\d|gpt-5)/.test(model);

/** CONVERSATIONS_ADDRESS, ASSISTANTS_ADDRESS and the secret; the latter address defaults to the same container's. */
export const readSeedConfig = (env: Env): SeededSystem => ({
  assistants: env.has('ASSISTANTS_ADDRESS') ? env.get('ASSISTANTS_ADDRESS') : `127.0.0.1:${env.get('RPC_PORT')}`,
  conversations: env.get('CONVERSATIONS_ADDRESS'),
  secret: readSecret(env),
  rpcTls: readRpcTls(env),
});
