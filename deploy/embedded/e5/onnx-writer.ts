/** Writes the few messages of ONNX's protobuf format that an encoder needs; numbers are the fields' in onnx.proto. */

export type Bytes = Uint8Array;

const varint = (value: number): Bytes => {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.of(...bytes, rest);
};

const concat = (parts: readonly Bytes[]): Bytes => Buffer.concat(parts);
const integer = (field: number, value: number): Bytes => concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Bytes): Bytes => concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string): Bytes => bytes(field, Buffer.from(value));
const float = (field: number, value: number): Bytes =>
  concat([varint(field * 8 + 5), new Uint8Array(Float32Array.of(value).buffer)]);

export const FLOAT = 1;
const UINT8 = 2;
const INT64 = 7;
const OPSET = 20;

type Attribute = { int: number } | { float: number } | { string: string };

function attribute(name: string, value: Attribute): Bytes {
  if ('int' in value) return concat([text(1, name), integer(3, value.int), integer(20, 2)]);
  if ('float' in value) return concat([text(1, name), float(2, value.float), integer(20, 1)]);
  return concat([text(1, name), text(4, value.string), integer(20, 3)]);
}

type Values = Float32Array | Uint8Array | BigInt64Array;
const typeOf = (values: Values): number =>
  values instanceof Float32Array ? FLOAT : values instanceof BigInt64Array ? INT64 : UINT8;

export interface GraphWriter {
  /** Adds an operation, and returns the name of its result. An operator of `microsoft` is one of ONNX Runtime's own. */
  operation(
    operator: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    options?: { domain?: 'microsoft'; name?: string },
  ): string;
  /** Adds a constant tensor, and returns its name. */
  constant(values: Values, shape: readonly number[]): string;
  /** The model: from the ids of tokens, [1, length], to a row of floats for each, [1, length, width]. */
  finish(input: string, output: string, width: number): Bytes;
}

export function createGraphWriter(): GraphWriter {
  const nodes: Bytes[] = [];
  const constants: Bytes[] = [];

  function value(name: string, type: number, sizes: readonly (number | string)[]): Bytes {
    const shape = sizes.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)));
    return concat([text(1, name), bytes(2, bytes(1, concat([integer(1, type), bytes(2, concat(shape))])))]);
  }

  return {
    operation(operator, inputs, attributes = {}, { domain, name = `value${nodes.length}` } = {}) {
      const fields = [...inputs.map((input) => text(1, input)), text(2, name), text(4, operator)];
      for (const [key, given] of Object.entries(attributes)) fields.push(bytes(5, attribute(key, given)));
      if (domain) fields.push(text(7, 'com.microsoft'));
      nodes.push(bytes(1, concat(fields)));
      return name;
    },
    constant(values, shape) {
      const name = `constant${constants.length}`;
      const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      const fields = [
        ...shape.map((size) => integer(1, size)),
        integer(2, typeOf(values)),
        text(8, name),
        bytes(9, raw),
      ];
      constants.push(bytes(5, concat(fields)));
      return name;
    },
    finish(input, output, width) {
      const graph = concat([
        ...nodes,
        text(2, 'encoder'),
        ...constants,
        bytes(11, value(input, INT64, [1, 'length'])),
        bytes(12, value(output, FLOAT, [1, 'length', width])),
      ]);
      const opsets = [bytes(8, integer(2, OPSET)), bytes(8, concat([text(1, 'com.microsoft'), integer(2, 1)]))];
      return concat([integer(1, 9), ...opsets, bytes(7, graph)]);
    },
  };
}
