import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import './embedding/openai-request.ts'; // Otherwise it would still be loading when the tests end.
import { createEmbedders, readEmbeddingConfig } from './embedding-config.ts';

const models = mkdtempSync(join(tmpdir(), 'parley-models-'));
afterAll(() => rmSync(models, { recursive: true, force: true }));

/** A directory that looks like a model of this name. */
function modelNamed(name: string): string {
  const dir = join(models, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'config.json'), JSON.stringify({ _name_or_path: `somebody/${name}` }));
  for (const file of ['model.onnx', 'tokenizer.json']) writeFileSync(join(dir, file), name);
  return dir;
}

const BOTH = { EMBEDDING_MODEL_DIR: modelNamed('english'), EMBEDDING_MULTILINGUAL_DIR: modelNamed('multilingual') };
const created = (variables: Record<string, string>) => createEmbedders(readEmbeddingConfig(readEnv(variables)));

test.each([
  ['english', /^english-/, /^english-/],
  ['multilingual', /^multilingual-/, /^multilingual-/],
  ['auto', /^english-/, /^multilingual-/],
])('EMBEDDING_LOCAL_MODEL=%s: English is embedded with %s, German with %s', (choice, english, german) => {
  const embedders = created({ ...BOTH, EMBEDDING_LOCAL_MODEL: choice });
  expect(embedders.forLanguage('en-GB')?.model).toMatch(english);
  expect(embedders.forLanguage(undefined)?.model).toMatch(english);
  expect(embedders.forLanguage('de')?.model).toMatch(german);
  expect(embedders.current?.model).toMatch(english);
});

test('builds of either local model stay searchable, whichever makes new ones', () => {
  for (const choice of ['english', 'multilingual', 'auto'])
    for (const EMBEDDINGS of ['local', 'none'])
      for (const local of ['english', 'multilingual']) {
        const [model] = created({ ...BOTH, EMBEDDINGS: 'local', EMBEDDING_LOCAL_MODEL: local }).models;
        expect(created({ ...BOTH, EMBEDDINGS, EMBEDDING_LOCAL_MODEL: choice }).byModel(model!)?.model).toBe(model);
      }
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
  expect(() => created({ ...local, EMBEDDING_MODEL_DIR: '/nowhere' })).toThrow(
    "The embedding model in EMBEDDING_MODEL_DIR (/nowhere) can't be used: it has no model.onnx or onnx/model.onnx.",
  );
});
