import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import ort from 'onnxruntime-node';
import { poolRows } from './pool-rows.ts';
import type { WorkerMessage } from './worker-queue.ts';

const MAX_TOKENS = 256; // the length the model was trained on
const MAX_CHARACTERS = 20_000; // bounds the tokenizer's time on a text that is cut anyway

const { dir } = workerData as { dir: string };
const tokenizer = await loadTokenizer();
const session = await ort.InferenceSession.create(join(dir, 'model.onnx'), {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // The arena would keep the memory of the longest text for good.
  enableCpuMemArena: false,
  enableMemPattern: false,
});

async function loadTokenizer(): Promise<Tokenizer> {
  const definition = JSON.parse(await readFile(join(dir, 'tokenizer.json'), 'utf8'));
  return new Tokenizer({ ...definition, truncation: null, padding: null }, { do_lower_case: true });
}

function tokenIds(text: string): bigint[] {
  const { ids } = tokenizer.encode(text.slice(0, MAX_CHARACTERS));
  const kept = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!] : ids;
  return kept.map(BigInt);
}

/** One text per run: on a CPU, padding costs more than batching saves. */
async function embed(text: string): Promise<Float32Array> {
  const ids = tokenIds(text);
  const tensor = (values: bigint[]) => new ort.Tensor('int64', BigInt64Array.from(values), [1, ids.length]);
  const { last_hidden_state: hidden } = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(ids.map(() => 1n)),
    token_type_ids: tensor(ids.map(() => 0n)),
  });
  return poolRows(hidden!.data as Float32Array, hidden!.dims[2]!);
}

function post(message: WorkerMessage) {
  parentPort!.postMessage(message);
}

post('ready');
parentPort!.on('message', async (text: string) => post(await embed(text)));
