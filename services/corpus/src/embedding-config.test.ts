import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import './embedding/openai-request.ts'; // Otherwise it would still be loading when the tests end.
import { createEmbedders, readEmbeddingConfig } from './embedding-config.ts';

const BOTH = { EMBEDDING_MODEL_DIR: '/models/en', EMBEDDING_MULTILINGUAL_DIR: '/models/all' };
const created = (variables: Record<string, string>) => createEmbedders(readEmbeddingConfig(readEnv(variables)));

test.each([
  ['english', 'minilm-l6-v2-int8', 'minilm-l6-v2-int8'],
  ['multilingual', 'multilingual-e5-small-q4', 'multilingual-e5-small-q4'],
  ['auto', 'minilm-l6-v2-int8', 'multilingual-e5-small-q4'],
])('EMBEDDING_LOCAL_MODEL=%s: English is embedded with %s, German with %s', (choice, english, german) => {
  const embedders = created({ ...BOTH, EMBEDDING_LOCAL_MODEL: choice });
  expect(embedders.forLanguage('en-GB')?.model).toBe(english);
  expect(embedders.forLanguage(undefined)?.model).toBe(english);
  expect(embedders.forLanguage('de')?.model).toBe(german);
  expect(embedders.current?.model).toBe(english);
});

test('builds of either local model stay searchable, whichever makes new ones', () => {
  for (const choice of ['english', 'multilingual', 'auto'])
    for (const EMBEDDINGS of ['local', 'none'])
      for (const model of ['minilm-l6-v2-int8', 'multilingual-e5-small-q4'])
        expect(created({ ...BOTH, EMBEDDINGS, EMBEDDING_LOCAL_MODEL: choice }).byModel(model)?.model).toBe(model);
});

test('with a server or without embeddings, the language changes nothing', () => {
  const server = { ...BOTH, EMBEDDING_LOCAL_MODEL: 'auto', OPENAI_API_KEY: 'sk-k', OPENAI_EMBEDDING_MODEL: 'large' };
  expect(created(server).forLanguage('de')?.model).toBe('large');
  expect(created({ ...BOTH, EMBEDDING_LOCAL_MODEL: 'auto', EMBEDDINGS: 'none' }).forLanguage('de')).toBeNull();
});

test('a local model without its directory is refused at boot, by the name of the variable', () => {
  const local = { EMBEDDINGS: 'local' };
  expect(() => created(local)).toThrow('EMBEDDING_MODEL_DIR');
  expect(() => created({ ...local, EMBEDDING_LOCAL_MODEL: 'multilingual', EMBEDDING_MODEL_DIR: '/m' })).toThrow(
    'EMBEDDING_LOCAL_MODEL=multilingual needs EMBEDDING_MULTILINGUAL_DIR',
  );
  expect(() => created({ ...local, EMBEDDING_LOCAL_MODEL: 'auto', EMBEDDING_MODEL_DIR: '/m' })).toThrow(
    'EMBEDDING_LOCAL_MODEL=auto needs EMBEDDING_MULTILINGUAL_DIR',
  );
  expect(() => created({ ...local, EMBEDDING_LOCAL_MODEL: 'german' })).toThrow('EMBEDDING_LOCAL_MODEL');
});
