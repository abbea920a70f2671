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

const FLOAT = 1;
const UINT8 = 2;
const OPSET = 20;

type Attribute = { int: number } | { float: number };

function attribute(name: string, value: Attribute): Bytes {
  const isInt = 'int' in value;
  return concat([text(1, name), isInt ? integer(3, value.int) : float(2, value.float), integer(20, isInt ? 2 : 1)]);
}

export interface GraphWriter {
  /** Adds an operation, and returns the name of its result. An operator of `microsoft` is one of ONNX Runtime's own. */
  operation(
    operator: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    domain?: 'microsoft',
  ): string;
  /** Adds a constant tensor, and returns its name. */
  constant(values: Float32Array | Uint8Array, shape: readonly number[]): string;
  /** The model: one float input and one float output of the shape [1, length, width], of any length. */
  finish(input: string, output: string, width: number): Bytes;
}

export function createGraphWriter(): GraphWriter {
  const nodes: Bytes[] = [];
  const constants: Bytes[] = [];

  function value(name: string, width: number): Bytes {
    const shape = concat([bytes(1, integer(1, 1)), bytes(1, text(2, 'length')), bytes(1, integer(1, width))]);
    return concat([text(1, name), bytes(2, bytes(1, concat([integer(1, FLOAT), bytes(2, shape)])))]);
  }

  return {
    operation(operator, inputs, attributes = {}, domain) {
      const name = `value${nodes.length}`;
      const fields = [...inputs.map((input) => text(1, input)), text(2, name), text(4, operator)];
      for (const [key, given] of Object.entries(attributes)) fields.push(bytes(5, attribute(key, given)));
      if (domain) fields.push(text(7, 'com.microsoft'));
      nodes.push(bytes(1, concat(fields)));
      return name;
    },
    constant(values, shape) {
      const name = `constant${constants.length}`;
      const type = values instanceof Float32Array ? FLOAT : UINT8;
      const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      const fields = [...shape.map((size) => integer(1, size)), integer(2, type), text(8, name), bytes(9, raw)];
      constants.push(bytes(5, concat(fields)));
      return name;
    },
    finish(input, output, width) {
      const graph = concat([
        ...nodes,
        text(2, 'encoder'),
        ...constants,
        bytes(11, value(input, width)),
        bytes(12, value(output, width)),
      ]);
      const opsets = [bytes(8, integer(2, OPSET)), bytes(8, concat([text(1, 'com.microsoft'), integer(2, 1)]))];
      return concat([integer(1, 9), ...opsets, bytes(7, graph)]);
    },
  };
}
