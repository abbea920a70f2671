import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import ort from 'onnxruntime-node';
import type { ModelSettings } from './model-directory.ts';
import { pool } from './pool.ts';

const MAX_CHARACTERS = 20_000; // bounds the tokenizer's time on a text that is cut anyway

/**
 * Loads a model of sentence-transformers, and returns the function that embeds a text with it.
 *
 * @throws Error if the model can't be run
 */
export async function loadModel({ onnx, tokenizer: file, maxTokens, pooling }: Omit<ModelSettings, 'prompts'>) {
  const tokenizer = await loadTokenizer(file);
  const session = await ort.InferenceSession.create(onnx, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // The arena would keep the memory of the longest text for good.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const output = session.outputNames.find((name) => name === 'last_hidden_state') ?? session.outputNames[0]!;

  function tokenIds(text: string): bigint[] {
    const { ids } = tokenizer.encode(text.slice(0, MAX_CHARACTERS));
    const kept = ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ids.at(-1)!] : ids;
    return kept.map(BigInt);
  }

  /** One text per run: on a CPU, padding costs more than batching saves. */
  async function embed(text: string): Promise<Float32Array> {
    const ids = tokenIds(text);
    const all: Record<string, bigint[]> = {
      input_ids: ids,
      attention_mask: ids.map(() => 1n),
      token_type_ids: ids.map(() => 0n),
    };
    const feeds = session.inputNames.map((name) => {
      const values = all[name];
      if (!values) throw new Error(`the model wants ${name}, which texts do not have`);
      return [name, new ort.Tensor('int64', BigInt64Array.from(values), [1, ids.length])] as const;
    });
    const { [output]: hidden } = await session.run(Object.fromEntries(feeds));
    if (hidden?.type !== 'float32' || hidden.dims.length !== 3)
      throw new Error('the model does not return rows of floats');
    return pool(hidden.data as Float32Array, hidden.dims[2]!, pooling);
  }

  // A model that can't be run is found out now, not with a text.
  await embed('');
  return embed;
}

async function loadTokenizer(file: string): Promise<Tokenizer> {
  const definition = JSON.parse(await readFile(file, 'utf8'));
  return new Tokenizer({ ...definition, truncation: null, padding: null }, {});
}
