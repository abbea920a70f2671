import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { readConfig, readModelConfig } from './config.ts';

const read = (variables: Record<string, string>) => readModelConfig(readEnv(variables));

test('without an OpenAI setting there is no model', () => {
  expect(read({})).toBeUndefined();
  expect(read({ OPENAI_MODEL: 'some', OPENAI_BASE_URL: ' ' })).toBeUndefined();
});

test('a server at home needs no key, and a key alone means OpenAI itself', () => {
  expect(read({ OPENAI_BASE_URL: 'http://localhost:11434/v1', OPENAI_MODEL: 'qwen' })).toEqual({
    apiKey: 'none',
    baseUrl: 'http://localhost:11434/v1',
    model: 'qwen',
  });
  expect(read({ OPENAI_API_KEY: 'sk-1' })).toMatchObject({ apiKey: 'sk-1', baseUrl: undefined });
});

test('a reply is ready, or given up, before the gateway stops waiting for it', () => {
  const addresses = { KNOWLEDGE_ADDRESS: 'k:1', CONVERSATIONS_ADDRESS: 'c:1' };
  const server = { PARLEY_SECRET: 'x'.repeat(40), MONGODB_URI: 'mongodb://db' };
  const replyMs = (more = {}) => readConfig(readEnv({ ...addresses, ...server, ...more })).replyMs;
  expect(replyMs()).toBe(60_000);
  expect(replyMs({ REPLY_TIMEOUT_SECONDS: '600' })).toBe(480_000);
});
