import { expect, test } from '@jest/globals';
import { readEnv } from './env.ts';
import { readOpenAiModels, readOpenAiServer } from './openai-settings.ts';

test('an address, a key or both configure a server; a model alone does not', () => {
  const read = (variables: Record<string, string>) => readOpenAiServer(readEnv(variables));
  expect(read({ OPENAI_MODEL: 'some', OPENAI_EMBEDDING_MODEL: 'other', OPENAI_BASE_URL: ' ' })).toBeUndefined();
  expect(read({ OPENAI_BASE_URL: 'http://localhost:11434/v1' })).toEqual({
    baseUrl: 'http://localhost:11434/v1',
    apiKey: 'none',
  });
  expect(read({ OPENAI_API_KEY: 'sk-1' })).toEqual({ apiKey: 'sk-1' });
});

test('each model has its own default', () => {
  expect(readOpenAiModels(readEnv({}))).toEqual({ chat: 'gpt-4o-mini', embedding: 'text-embedding-3-small' });
  expect(readOpenAiModels(readEnv({ OPENAI_MODEL: 'a', OPENAI_EMBEDDING_MODEL: 'b' }))).toEqual({
    chat: 'a',
    embedding: 'b',
  });
});
