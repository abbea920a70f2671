import { createGraphWriter, FLOAT, type GraphWriter } from './onnx-writer.ts';
import { BLOCK_BYTES, BLOCK_WEIGHTS, halfToNumber, type PackedModel } from './packed-file.ts';

const INPUT = 'input_ids';
const OUTPUT = 'last_hidden_state';
const HALF = BLOCK_WEIGHTS / 2;

/** The encoder as an ONNX model, from the ids of tokens to their hidden states. Its weights stay in 4 bits. */
export function encoderOf(model: PackedModel): Uint8Array {
  const { width, inner, heads, layers, epsilon } = model;
  const graph = createGraphWriter();
  const { operation, constant } = graph;
  const vector = (name: string) => {
    const values = model.floats(name);
    return constant(values, [values.length]);
  };

  /** x · Wᵀ + b */
  function linear(x: string, name: string, from: number, to: number): string {
    const { nibbles, scales } = repack(model.blocks(`${name}.w`));
    const perRow = from / BLOCK_WEIGHTS;
    const weights = constant(nibbles, [to, perRow, BLOCK_WEIGHTS / 2]);
    const inputs = [x, weights, constant(scales, [to * perRow]), '', '', vector(`${name}.b`)];
    const size = { K: { int: from }, N: { int: to }, bits: { int: 4 }, block_size: { int: BLOCK_WEIGHTS } };
    return operation('MatMulNBits', inputs, { ...size, accuracy_level: { int: 4 } }, { domain: 'microsoft' });
  }
  function normalised(x: string, part: string, name?: string): string {
    const inputs = [x, vector(`${part}.w`), vector(`${part}.b`)];
    return operation('LayerNormalization', inputs, { epsilon: { float: epsilon } }, name === undefined ? {} : { name });
  }

  let x = normalised(embeddedTokens(graph, model), 'emb.ln');
  for (let layer = 0; layer < layers; layer++) {
    const named = (part: string) => `l${layer}.${part}`;
    const [query, key, value] = ['q', 'k', 'v'].map((part) => linear(x, named(part), width, width));
    const attention = { num_heads: { int: heads } };
    const attended = operation('MultiHeadAttention', [query!, key!, value!], attention, { domain: 'microsoft' });
    x = normalised(operation('Add', [x, linear(attended, named('ao'), width, width)]), named('aln'));
    const wide = operation('Gelu', [linear(x, named('fi'), width, inner)]);
    const isLast = layer === layers - 1;
    const added = operation('Add', [x, linear(wide, named('fo'), inner, width)]);
    x = normalised(added, named('oln'), isLast ? OUTPUT : undefined);
  }
  return graph.finish(INPUT, x, width);
}

/** The rows of the tokens' words, unpacked from 4 bits, of their positions and of the only token type, added up. */
function embeddedTokens({ operation, constant }: GraphWriter, model: PackedModel): string {
  const { width } = model;
  const { nibbles, scales } = unpaired(model.blocks('emb.word'));
  const perRow = width / BLOCK_WEIGHTS;
  const words = scales.length / perRow;
  const axis = (number: number) => ({ axis: { int: number } });

  const packed = operation('Gather', [constant(nibbles, [words, perRow, HALF]), INPUT], axis(0));
  const low = operation('BitwiseAnd', [packed, constant(Uint8Array.of(15), [1])]);
  const high = operation('BitShift', [packed, constant(Uint8Array.of(4), [1])], { direction: { string: 'RIGHT' } });
  const both = operation('Cast', [operation('Concat', [low, high], axis(3))], { to: { int: FLOAT } });
  const centred = operation('Sub', [both, constant(Float32Array.of(8), [1])]);
  const scaled = operation('Mul', [
    centred,
    operation('Gather', [constant(scales, [words, perRow, 1]), INPUT], axis(0)),
  ]);
  const rows = operation('Reshape', [scaled, constant(BigInt64Array.of(1n, -1n, BigInt(width)), [3])]);

  const length = operation('Shape', [INPUT], { start: { int: 1 } });
  const table = model.floats('emb.pos');
  const from = constant(BigInt64Array.of(0n), [1]);
  const positions = operation('Slice', [constant(table, [table.length / width, width]), from, length, from]);
  const type = constant(model.floats('emb.type').slice(0, width), [width]);
  return operation('Add', [operation('Add', [rows, positions]), type]);
}

/** The bytes of Q4_0 blocks, which pair weights j and j + 16, and their scales. */
function unpaired(blocks: Uint8Array): { nibbles: Uint8Array; scales: Float32Array } {
  const count = blocks.length / BLOCK_BYTES;
  const nibbles = new Uint8Array(count * HALF);
  const scales = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    const from = block * BLOCK_BYTES;
    scales[block] = halfToNumber(blocks[from]! | (blocks[from + 1]! << 8));
    nibbles.set(blocks.subarray(from + 2, from + BLOCK_BYTES), block * HALF);
  }
  return { nibbles, scales };
}

/** From Q4_0 to ONNX Runtime's order for matrices, which pairs neighbours. */
export function repack(blocks: Uint8Array): { nibbles: Uint8Array; scales: Float32Array } {
  const { nibbles: paired, scales } = unpaired(blocks);
  const nibbles = new Uint8Array(paired.length);
  for (let from = 0; from < paired.length; from += HALF) {
    for (let j = 0; j < HALF; j += 2) {
      const [first, second] = [paired[from + j]!, paired[from + j + 1]!];
      nibbles[from + j / 2] = (first & 15) | ((second & 15) << 4);
      nibbles[from + (HALF + j) / 2] = (first >> 4) | (second & 0xf0);
    }
  }
  return { nibbles, scales };
}
