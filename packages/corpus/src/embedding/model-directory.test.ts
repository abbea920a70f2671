import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { readModelDirectory } from './model-directory.ts';
import { pool } from './pool.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true });
});

function directory(files: Record<string, string | object>): string {
  const dir = mkdtempSync(join(tmpdir(), 'parley-model-'));
  made.push(dir);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return dir;
}

const MODEL = { 'onnx/model.onnx': 'weights', 'tokenizer.json': '{}' };
const modules = (...types: string[]) => types.map((type) => ({ type: `sentence_transformers.models.${type}` }));

test('a directory as sentence-transformers writes it says how its texts become vectors', () => {
  const dir = directory({
    ...MODEL,
    'config.json': { _name_or_path: '/somewhere/fine tuned' },
    'modules.json': modules('Transformer', 'Pooling', 'Normalize'),
    'sentence_bert_config.json': { max_seq_length: 128, do_lower_case: false },
    '1_Pooling/config.json': {
      word_embedding_dimension: 384,
      pooling_mode_cls_token: true,
      pooling_mode_mean_tokens: false,
    },
    'config_sentence_transformers.json': { prompts: { query: 'query: ', document: 'passage: ' } },
  });
  expect(readModelDirectory(dir)).toMatchObject({
    ...{ name: 'fine-tuned', onnx: join(dir, 'onnx/model.onnx'), maxTokens: 128, pooling: 'cls' },
    prompts: { query: 'query: ', passage: 'passage: ' },
  });
});

test('a model and its tokenizer are enough, and a model reads no more than 512 tokens', () => {
  expect(readModelDirectory(directory(MODEL))).toMatchObject({ maxTokens: 256, pooling: 'mean' });
  const long = directory({ ...MODEL, 'sentence_bert_config.json': { max_seq_length: 8_192 } });
  expect(readModelDirectory(long).maxTokens).toBe(512);
});

test('what makes other vectors is another model, and nothing else is', () => {
  const fingerprint = (files: object) => readModelDirectory(directory({ ...MODEL, ...files })).fingerprint;
  const usual = fingerprint({});
  expect(fingerprint({ 'README.md': 'about it', 'config.json': { _name_or_path: 'x' } })).toBe(usual);
  const others = [
    { 'onnx/model.onnx': 'other weights' },
    { 'onnx/model.onnx': 'w'.repeat(5_000_000) },
    { 'onnx/model.onnx_data': 'more weights' },
    { 'tokenizer.json': '{ }' },
    { 'sentence_bert_config.json': { max_seq_length: 200 } },
    { 'config_sentence_transformers.json': { prompts: { query: 'q' } } },
  ].map(fingerprint);
  expect(new Set([usual, ...others]).size).toBe(others.length + 1);
});

test.each<[string, Record<string, string | object>]>([
  ['it has no model.onnx or onnx/model.onnx', { 'tokenizer.json': '{}' }],
  ['it has no tokenizer.json', { 'model.onnx': 'weights' }],
  ['its module sentence_transformers.models.Dense is not supported', { ...MODEL, 'modules.json': modules('Dense') }],
  [
    'its pooling (pooling_mode_max_tokens) is not supported',
    { ...MODEL, '1_Pooling/config.json': { pooling_mode_max_tokens: true } },
  ],
  ["sentence_bert_config.json can't be read", { ...MODEL, 'sentence_bert_config.json': '{' }],
  ["modules.json can't be read", { ...MODEL, 'modules.json': { type: 'x' } }],
])('a directory that can not be used is refused: %s', (reason, files) => {
  expect(() => readModelDirectory(directory(files))).toThrow(reason);
});

test('rows become one vector of length 1: their mean, the first or the last', () => {
  const rows = Float32Array.of(3, 0, 0, 4);
  expect([...pool(rows, 2, 'cls')]).toEqual([1, 0]);
  expect([...pool(rows, 2, 'lasttoken')]).toEqual([0, 1]);
  const mean = pool(rows, 2, 'mean');
  expect(mean[0]).toBeCloseTo(0.6);
  expect(mean[1]).toBeCloseTo(0.8);
});
