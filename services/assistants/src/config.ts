import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';

export interface AssistantsConfig extends ServiceConfig {
  /** Addresses of the services that a reply needs: host:port. */
  knowledge: string;
  conversations: string;
  /** Absent: replies are extracted from the passages, without a model. */
  model?: ModelConfig | undefined;
}

/** Any OpenAI-compatible server. */
export interface ModelConfig {
  apiKey: string;
  /** With its `/v1`; absent: OpenAI's own. */
  baseUrl?: string | undefined;
  model: string;
}

export const readConfig = (env: Env): AssistantsConfig => ({
  ...readServiceConfig(env, 'assistants'),
  knowledge: env.address('KNOWLEDGE_ADDRESS'),
  conversations: env.address('CONVERSATIONS_ADDRESS'),
  model: readModelConfig(env),
});

export function readModelConfig(env: Env): ModelConfig | undefined {
  const [apiKey, baseUrl] = [env.optional('OPENAI_API_KEY'), env.optional('OPENAI_BASE_URL')];
  if (!apiKey && !baseUrl) return undefined;
  // Servers at home ask for no key, but the protocol has a place for one.
  return { apiKey: apiKey ?? 'none', baseUrl, model: env.optional('OPENAI_MODEL') ?? 'gpt-4o-mini' };
}
