import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { readModelConfig } from './config.ts';

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
