import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { readConfig, readModelConfig } from './config.ts';

const read = (variables: Record<string, string>) => readModelConfig(readEnv(variables));

test('without an OpenAI setting there is no model', () => {
  expect(read({})).toBeUndefined();
  expect(read({ OPENAI_MODEL: 'some', OPENAI_BASE_URL: ' ' })).toBeUndefined();
});

test('a local server needs no key, and a key alone means OpenAI itself', () => {
  expect(read({ OPENAI_BASE_URL: 'http://localhost:11434/v1', OPENAI_MODEL: 'qwen' })).toMatchObject({
    apiKey: 'none',
    baseUrl: 'http://localhost:11434/v1',
    model: 'qwen',
  });
  expect(read({ OPENAI_API_KEY: 'sk-1' })).toMatchObject({ apiKey: 'sk-1', baseUrl: undefined });
});

const addresses = { KNOWLEDGE_ADDRESS: 'k:1', CONVERSATIONS_ADDRESS: 'c:1' };
const server = { PARLEY_SECRET: 'x'.repeat(40), MONGODB_URI: 'mongodb://db' };
const config = (more = {}) => readConfig(readEnv({ ...addresses, ...server, ...more }));

test('a reply is ready, or has failed, before the gateway stops waiting for it', () => {
  expect(config().replyMs).toBe(60_000);
  expect(config({ REPLY_TIMEOUT_SECONDS: '600' }).replyMs).toBe(480_000);
});

test('replies in progress are limited by default, and by the settings', () => {
  expect(config().replies).toEqual({ atOnce: 200, atOncePerAssistant: 50 });
  const set = { REPLIES_AT_ONCE: '3', REPLIES_AT_ONCE_PER_ASSISTANT: '2' };
  expect(config(set).replies).toEqual({ atOnce: 3, atOncePerAssistant: 2 });
  expect(() => config({ REPLIES_AT_ONCE: '0' })).toThrow('REPLIES_AT_ONCE must be a whole number from 1');
});

test('a prompt and its answer fit into the context of common servers by default, and into what is set', () => {
  const key = { OPENAI_API_KEY: 'sk-1' };
  expect(read(key)).toMatchObject({ contextTokens: 16_384, answerTokens: 1_024 });
  expect(read({ OPENAI_BASE_URL: 'http://localhost:11434/v1' })).toMatchObject({ contextTokens: 4_096 });
  expect(read({ ...key, OPENAI_MODEL: 'o3' })).toMatchObject({ answerTokens: 8_192 });
  expect(read({ ...key, OPENAI_CONTEXT_TOKENS: '2048', OPENAI_MODEL: 'o3' })).toMatchObject({ answerTokens: 1_024 });
  const set = { OPENAI_CONTEXT_TOKENS: '100000', OPENAI_ANSWER_TOKENS: '500' };
  expect(read({ ...key, ...set })).toMatchObject({ contextTokens: 100_000, answerTokens: 500 });
  expect(() => read({ ...key, OPENAI_ANSWER_TOKENS: '9000' })).toThrow('at most 8192');
});

test('the tokens that an account may use in a day are limited unless that is set to 0', () => {
  expect(config().modelTokensPerDay).toBe(10_000_000);
  expect(config({ MODEL_TOKENS_PER_DAY: '20000' }).modelTokensPerDay).toBe(20_000);
  expect(config({ MODEL_TOKENS_PER_DAY: '0' }).modelTokensPerDay).toBe(Infinity);
});
