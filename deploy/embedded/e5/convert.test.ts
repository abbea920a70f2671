import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { expect, test } from '@jest/globals';
import { encoderOf, repack } from './encoder.ts';
import { BLOCK_BYTES, halfToNumber, type PackedModel, readPackedModel, type Vocabulary } from './packed-file.ts';
import { tokenizerOf } from './tokenizer.ts';

function vocabularyOf(pieces: [string, number][], replacements: [string, string][] = []): Vocabulary {
  const texts = pieces.map(([piece]) => Buffer.from(piece));
  const ends = texts.map((_, i) => texts.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0));
  return {
    ...{ begin: 0, end: 1, unknown: 2 },
    offsets: Uint32Array.of(0, ...ends),
    scores: Float32Array.from(pieces, ([, score]) => score),
    text: Buffer.concat(texts),
    replacements: new Map(replacements.map(([from, to]) => [from.codePointAt(0)!, to])),
  };
}

test('a text is split into its most likely pieces, after its characters are replaced; an unknown character is one', () => {
  const pieces: [string, number][] = [
    ['<s>', 0],
    ['</s>', 0],
    ['<unk>', 0],
    ['▁', -5],
    ['▁ab', -3],
    ['a', -4],
    ['b', -4],
    ['bc', -1],
    ['c', -4],
    ['▁a', -2],
  ];
  const replacements: [string, string][] = [
    ['ａ', 'a'], // its compatibility form
    ['\u0007', ''],
    ['\t', ' '],
  ];
  const tokenizer = new Tokenizer(tokenizerOf(vocabularyOf(pieces, replacements)), {});
  const tokenize = (text: string) => tokenizer.encode(text).ids;
  expect(tokenize('abc')).toEqual([0, 9, 7, 1]); // ▁a + bc, not ▁ab + c
  expect(tokenize('ａb\u0007c\t 😀')).toEqual([0, 9, 7, 3, 2, 1]);
});

test('half-precision numbers', () => {
  const halves: [number, number][] = [
    [0x0000, 0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x0001, 2 ** -24],
  ];
  for (const [half, number] of halves) expect(halfToNumber(half)).toBe(number);
});

/** Blocks of Q4_0 with the scale 2^-4 or 2^-5, and arbitrary weights. */
function blocks(count: number, seed: number): Uint8Array {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % 256;
  };
  const made = Uint8Array.from({ length: count * BLOCK_BYTES }, random);
  for (let block = 0; block < count; block++) made.set([0, random() % 2 ? 0x2c : 0x28], block * BLOCK_BYTES);
  return made;
}

function weightOf(packed: Uint8Array, index: number): number {
  const from = Math.floor(index / 32) * BLOCK_BYTES;
  const byte = packed[from + 2 + (index % 16)]!;
  const nibble = index % 32 < 16 ? byte & 15 : byte >> 4;
  return (nibble - 8) * halfToNumber(packed[from]! | (packed[from + 1]! << 8));
}

test('repacking keeps each weight', () => {
  const packed = blocks(6, 1);
  const { nibbles, scales } = repack(packed);
  for (let i = 0; i < 6 * 32; i++) {
    const byte = nibbles[Math.floor(i / 2)]!;
    expect(((i % 2 ? byte >> 4 : byte & 15) - 8) * scales[Math.floor(i / 32)]!).toBe(weightOf(packed, i));
  }
});

const [WIDTH, INNER, HEADS] = [64, 128, 2];

/** A small encoder with random weights. */
function smallModel(): PackedModel {
  const floats = (name: string) => {
    const size = name === 'emb.pos' ? 8 * WIDTH : name.endsWith('fi.b') ? INNER : WIDTH;
    return Float32Array.from({ length: size }, (_, i) => (/ln\.w$/.test(name) ? 1 : Math.sin(i + name.length)) / 2);
  };
  const size = (name: string) =>
    /\.f[io]\./.test(name) ? WIDTH * INNER : name === 'emb.word' ? 10 * WIDTH : WIDTH ** 2;
  return {
    ...{ width: WIDTH, layers: 1, heads: HEADS, inner: INNER, positions: 8, epsilon: 1e-12 },
    vocabulary: vocabularyOf([]),
    floats,
    blocks: (name) => blocks(size(name) / 32, name.length + name.charCodeAt(3)),
  };
}

type Matrix = number[][];
const normalise = (rows: Matrix, w: Float32Array, b: Float32Array): Matrix =>
  rows.map((row) => {
    const mean = row.reduce((a, x) => a + x) / row.length;
    const deviation = Math.sqrt(row.reduce((a, x) => a + (x - mean) ** 2, 0) / row.length);
    return row.map((x, i) => ((x - mean) / deviation) * w[i]! + b[i]!);
  });
const add = (a: Matrix, b: Matrix): Matrix => a.map((row, t) => row.map((x, i) => x + b[t]![i]!));
const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
// Abramowitz and Stegun 7.1.26, to 1.5e-7.
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

/** The same encoder in plain arithmetic. */
function plainly(model: PackedModel, rows: Matrix): Matrix {
  const linear = (input: Matrix, name: string): Matrix => {
    const [packed, bias] = [model.blocks(`l0.${name}.w`), model.floats(`l0.${name}.b`)];
    return input.map((row) =>
      Array.from(
        bias,
        (b, o) =>
          b +
          dot(
            row,
            row.map((_, i) => weightOf(packed, o * row.length + i)),
          ),
      ),
    );
  };
  const norm = (input: Matrix, name: string) => normalise(input, model.floats(`${name}.w`), model.floats(`${name}.b`));
  const x = norm(rows, 'emb.ln');
  const [q, k, v] = ['q', 'k', 'v'].map((name) => linear(x, name)) as [Matrix, Matrix, Matrix];
  const size = WIDTH / HEADS;
  const attended = q.map((row, t) =>
    row.map((_, i) => {
      const head = (m: number[]) => m.slice(Math.floor(i / size) * size, (Math.floor(i / size) + 1) * size);
      const weights = k.map((key) => Math.exp(dot(head(q[t]!), head(key)) / Math.sqrt(size)));
      return weights.reduce((sum, w, s) => sum + w * v[s]![i]!, 0) / weights.reduce((a, w) => a + w);
    }),
  );
  const y = norm(add(x, linear(attended, 'ao')), 'l0.aln');
  const wide = linear(y, 'fi').map((row) => row.map((z) => 0.5 * z * (1 + erf(z / Math.SQRT2))));
  return norm(add(y, linear(wide, 'fo')), 'l0.oln');
}

// As in the process that embeds; a worker could not set it for native code.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

/** In a worker: the runtime accepts only arrays of its own realm, which is not that of a test. */
const RUN = `
  const { parentPort, workerData: { onnx, ids } } = require('node:worker_threads');
  const ort = require('onnxruntime-node');
  (async () => {
    const session = await ort.InferenceSession.create(onnx);
    const input_ids = new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { last_hidden_state } = await session.run({ input_ids });
    parentPort.postMessage([...last_hidden_state.data]);
  })();
`;

async function run(onnx: Uint8Array, ids: readonly number[]): Promise<number[]> {
  const worker = new Worker(RUN, { eval: true, workerData: { onnx, ids } });
  const [computed] = await once(worker, 'message');
  await worker.terminate();
  return computed;
}

test('the ONNX graph computes what the encoder is by definition', async () => {
  const model = smallModel();
  const ids = [3, 1, 4, 1, 5];
  const word = model.blocks('emb.word');
  const [positions, type] = [model.floats('emb.pos'), model.floats('emb.type')];
  const expected = ids.map((id, t) =>
    Array.from({ length: WIDTH }, (_, i) => weightOf(word, id * WIDTH + i) + positions[t * WIDTH + i]! + type[i]!),
  );
  const computed = await run(encoderOf(model), ids);
  const plain = plainly(model, expected).flat();
  // Activations are rounded to 8 bits on the way.
  const distance = Math.hypot(...computed.map((x, i) => x - plain[i]!)) / Math.hypot(...plain);
  expect(distance).toBeLessThan(0.03);
});

test.each([
  ['something else', Buffer.from('<!doctype html>'), 'not a packed model'],
  ['a file that was cut', Buffer.from('E5S1\x01\x00\x00\x00\x80\x01'), ''],
])('%s is refused', (_, file, message) => {
  expect(() => readPackedModel(file)).toThrow(message);
});
