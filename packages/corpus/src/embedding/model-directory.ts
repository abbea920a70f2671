import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** Where a repository of models keeps it, and where a directory with nothing else does. */
const ONNX_FILES = ['model.onnx', 'onnx/model.onnx'];
/** Attention takes time and memory by the square of the length; few passages have more tokens. */
const MAX_TOKENS = 512;
const USUAL_TOKENS = 256;
const SUPPORTED_MODULE = /\.(Transformer|Pooling|Normalize)$/;
const SAMPLES = 64;
const SAMPLE_BYTES = 16 * 1024;

export type Pooling = 'mean' | 'cls' | 'lasttoken';

/** How texts become vectors; the files of the directory say the rest. */
export interface ModelSettings {
  readonly onnx: string;
  readonly tokenizer: string;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Put before each text. */
  readonly prompts: { readonly query: string; readonly passage: string };
}

export interface ModelDirectory extends ModelSettings {
  /** The model's own name. */
  readonly name: string;
  /** A hash of samples of the model and of all that decides about its vectors, the same on every machine. */
  readonly fingerprint: string;
}

const Modules = z.array(z.object({ type: z.string() }));
const Length = z.object({ max_seq_length: z.number().int().positive().nullish() });
const PoolingModes = z.record(z.string(), z.unknown());
const Prompts = z.object({ prompts: z.record(z.string(), z.string()).nullish() });
const Named = z.object({ _name_or_path: z.string().optional() });

/**
 * Reads a directory as sentence-transformers writes it, with its model in ONNX. Only the model and `tokenizer.json` have to
 * be there: without the other files, vectors are the mean of 256 tokens.
 *
 * @throws Error that says what is missing or unsupported.
 */
export function readModelDirectory(dir: string): ModelDirectory {
  const onnx = ONNX_FILES.map((file) => join(dir, file)).find(existsSync);
  if (!onnx) throw new Error(`it has no ${ONNX_FILES.join(' or ')}`);
  const tokenizer = join(dir, 'tokenizer.json');
  if (!existsSync(tokenizer)) throw new Error('it has no tokenizer.json');
  for (const { type } of readJson(dir, 'modules.json', Modules) ?? [])
    if (!SUPPORTED_MODULE.test(type)) throw new Error(`its module ${type} is not supported`);
  const length = readJson(dir, 'sentence_bert_config.json', Length)?.max_seq_length ?? USUAL_TOKENS;
  const prompts = readJson(dir, 'config_sentence_transformers.json', Prompts)?.prompts ?? {};
  const settings = {
    maxTokens: Math.min(length, MAX_TOKENS),
    pooling: poolingOf(readJson(dir, '1_Pooling/config.json', PoolingModes)),
    prompts: { query: prompts['query'] ?? '', passage: prompts['passage'] ?? prompts['document'] ?? '' },
  };
  const weights = [onnx, `${onnx}_data`, tokenizer].filter(existsSync);
  const name = readJson(dir, 'config.json', Named)?._name_or_path ?? 'local';
  return {
    ...{ ...settings, onnx, tokenizer },
    name: basename(name).replace(/[^\w.-]/g, '-'),
    fingerprint: fingerprintOf(weights, settings),
  };
}

function readJson<T extends z.ZodType>(dir: string, name: string, shape: T): z.infer<T> | undefined {
  const path = join(dir, name);
  if (!existsSync(path)) return undefined;
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`${name} can't be read`, { cause: error });
  }
}

/** @throws Error for a pooling that is none of these. */
function poolingOf(config: Record<string, unknown> = { pooling_mode_mean_tokens: true }): Pooling {
  const modes = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const pooling = ({ mean_tokens: 'mean', cls_token: 'cls', lasttoken: 'lasttoken' } as const)[
    modes.join().slice('pooling_mode_'.length)
  ];
  if (!pooling) throw new Error(`its pooling (${modes.join(', ') || 'none'}) is not supported`);
  return pooling;
}

function fingerprintOf(files: readonly string[], settings: object): string {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of files) addSamples(hash, file);
  return hash.digest('hex').slice(0, 16);
}

/** Adds the size of a file, and parts of it at equal distances: a model may have gigabytes. */
function addSamples(hash: Hash, path: string): void {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    hash.update(`${size}:`);
    const step = Math.max(SAMPLE_BYTES, Math.floor(size / SAMPLES));
    const sample = Buffer.alloc(SAMPLE_BYTES);
    for (let at = 0; at < size; at += step)
      hash.update(sample.subarray(0, readSync(file, sample, 0, SAMPLE_BYTES, at)));
  } finally {
    closeSync(file);
  }
}
