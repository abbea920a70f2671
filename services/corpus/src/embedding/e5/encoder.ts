import { createGraphWriter } from './onnx-writer.ts';
import { BLOCK_BYTES, BLOCK_WEIGHTS, copy, halfToNumber, type PackedModel } from './packed-file.ts';

export const INPUT = 'embedded';

/** The encoder as an ONNX model: from the embeddings of tokens to their hidden states. Its weights stay in 4 bits. */
export function createEncoder(model: PackedModel): { onnx: Uint8Array; output: string } {
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
    return operation('MatMulNBits', inputs, { ...size, accuracy_level: { int: 4 } }, 'microsoft');
  }
  const normalised = (x: string, name: string) =>
    operation('LayerNormalization', [x, vector(`${name}.w`), vector(`${name}.b`)], { epsilon: { float: epsilon } });

  let x = normalised(INPUT, 'emb.ln');
  for (let layer = 0; layer < layers; layer++) {
    const named = (part: string) => `l${layer}.${part}`;
    const [query, key, value] = ['q', 'k', 'v'].map((part) => linear(x, named(part), width, width));
    const attended = operation(
      'MultiHeadAttention',
      [query!, key!, value!],
      { num_heads: { int: heads } },
      'microsoft',
    );
    x = normalised(operation('Add', [x, linear(attended, named('ao'), width, width)]), named('aln'));
    const wide = operation('Gelu', [linear(x, named('fi'), width, inner)]);
    x = normalised(operation('Add', [x, linear(wide, named('fo'), inner, width)]), named('oln'));
  }
  return { onnx: graph.finish(INPUT, x, width), output: x };
}

/** From Q4_0, whose bytes pair weights j and j + 16 of a block, to ONNX Runtime's order, which pairs neighbours. */
export function repack(blocks: Uint8Array): { nibbles: Uint8Array; scales: Float32Array } {
  const count = blocks.length / BLOCK_BYTES;
  const half = BLOCK_WEIGHTS / 2;
  const nibbles = new Uint8Array(count * half);
  const scales = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    const from = block * BLOCK_BYTES;
    scales[block] = halfToNumber(blocks[from]! | (blocks[from + 1]! << 8));
    for (let j = 0; j < half; j += 2) {
      const [first, second] = [blocks[from + 2 + j]!, blocks[from + 3 + j]!];
      nibbles[block * half + j / 2] = (first & 15) | ((second & 15) << 4);
      nibbles[block * half + (half + j) / 2] = (first >> 4) | (second & 0xf0);
    }
  }
  return { nibbles, scales };
}

/** Embeds tokens: the rows of their words, of their positions and of the only token type, added up. */
export function createTokenEmbedding(model: PackedModel): (ids: readonly number[]) => Float32Array {
  const { width } = model;
  const words = copy(model.blocks('emb.word')); // A copy, so that the rest of the file can be freed.
  const positions = model.floats('emb.pos');
  const type = model.floats('emb.type');
  const blocksPerRow = width / BLOCK_WEIGHTS;
  const half = BLOCK_WEIGHTS / 2;

  return (ids) => {
    const rows = new Float32Array(ids.length * width);
    ids.forEach((id, position) => {
      const row = rows.subarray(position * width, (position + 1) * width);
      for (let i = 0; i < width; i++) row[i] = positions[position * width + i]! + type[i]!;
      for (let block = 0; block < blocksPerRow; block++) {
        const from = (id * blocksPerRow + block) * BLOCK_BYTES;
        const scale = halfToNumber(words[from]! | (words[from + 1]! << 8));
        for (let j = 0; j < half; j++) {
          const byte = words[from + 2 + j]!;
          row[block * BLOCK_WEIGHTS + j]! += ((byte & 15) - 8) * scale;
          row[block * BLOCK_WEIGHTS + half + j]! += ((byte >> 4) - 8) * scale;
        }
      }
    });
    return rows;
  };
}
