import type { Env } from './env.ts';

/** An OpenAI-compatible server. */
export interface OpenAiServer {
  apiKey: string;
  /** Including `/v1`. Default: OpenAI's own. */
  baseUrl?: string | undefined;
}

/** OPENAI_BASE_URL and OPENAI_API_KEY; undefined if neither is set. */
export function readOpenAiServer(env: Env): OpenAiServer | undefined {
  const baseUrl = env.get('OPENAI_BASE_URL');
  const apiKey = env.get('OPENAI_API_KEY');
  if (!baseUrl && !apiKey) return undefined;
  // A local server often needs no key, but clients insist on one.
  return { apiKey: apiKey ?? 'none', baseUrl };
}

/** OPENAI_MODEL writes answers, OPENAI_EMBEDDING_MODEL embeds. The defaults are models of OpenAI. */
export const readOpenAiModels = (env: Env): { chat: string; embedding: string } => ({
  chat: env.get('OPENAI_MODEL'),
  embedding: env.get('OPENAI_EMBEDDING_MODEL'),
});
