import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';

export interface AssistantsConfig extends ServiceConfig {
  /** Addresses of the services that a reply needs: host:port. */
  knowledge: string;
  conversations: string;
  /** Absent: replies are extracted from the passages, without a model. */
  model?: ModelConfig | undefined;
  /** From the stored question to the stored answer. */
  replyMs: number;
}

/** Any OpenAI-compatible server. */
export interface ModelConfig {
  apiKey: string;
  /** With its `/v1`; absent: OpenAI's own. */
  baseUrl?: string | undefined;
  model: string;
}

/** What the gateway, too, takes for REPLY_TIMEOUT_SECONDS: how long a client waits. */
const DEFAULT_REPLY_SECONDS = 75;
/** The rest of that time is the gateway's, to tell a client that it waited in vain. */
const OURS = 0.8;

export const readConfig = (env: Env): AssistantsConfig => ({
  ...readServiceConfig(env, 'assistants'),
  knowledge: env.address('KNOWLEDGE_ADDRESS'),
  conversations: env.address('CONVERSATIONS_ADDRESS'),
  model: readModelConfig(env),
  replyMs: env.integer('REPLY_TIMEOUT_SECONDS', DEFAULT_REPLY_SECONDS, { min: 1, max: 600 }) * 1000 * OURS,
});

export function readModelConfig(env: Env): ModelConfig | undefined {
  const [apiKey, baseUrl] = [env.optional('OPENAI_API_KEY'), env.optional('OPENAI_BASE_URL')];
  if (!apiKey && !baseUrl) return undefined;
  // Servers at home ask for no key, but the protocol has a place for one.
  return { apiKey: apiKey ?? 'none', baseUrl, model: env.optional('OPENAI_MODEL') ?? 'gpt-4o-mini' };
}
