import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { poolRows } from '../pool-rows.ts';
import type { WorkerMessage } from '../worker-queue.ts';
import { createEncoder, createTokenEmbedding, INPUT } from './encoder.ts';
import { readPackedModel } from './packed-file.ts';
import { createUnigramTokenizer } from './unigram.ts';

const MAX_CHARACTERS = 20_000; // bounds the tokenizer's time on a text that is cut anyway

const { dir } = workerData as { dir: string };
const embed = await load();

/** A function, so that the file and the ONNX model can be freed once the session has its own copy. */
async function load(): Promise<(text: string) => Promise<Float32Array>> {
  const model = readPackedModel(await readFile(join(dir, 'e5-small-q4.bin')));
  const { width, positions } = model;
  const { begin, end } = model.vocabulary;
  const tokenize = createUnigramTokenizer(model.vocabulary);
  const embedTokens = createTokenEmbedding(model);
  const { onnx, output } = createEncoder(model);
  const session = await ort.InferenceSession.create(onnx, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // The arena would keep the memory of the longest text for good.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  return async (text) => {
    const ids = [begin, ...tokenize(text.slice(0, MAX_CHARACTERS)).slice(0, positions - 2), end];
    const input = new ort.Tensor('float32', embedTokens(ids), [1, ids.length, width]);
    const { [output]: hidden } = await session.run({ [INPUT]: input });
    return poolRows(hidden!.data as Float32Array, width);
  };
}

function post(message: WorkerMessage) {
  parentPort!.postMessage(message);
}

post('ready');
parentPort!.on('message', async (text: string) => post(await embed(text)));
