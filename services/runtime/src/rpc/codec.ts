import { create, type DescMessage, type DescMethod, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { configureTextEncoding, getTextEncoding } from '@bufbuild/protobuf/wire';

/** Of one request or answer, on both sides. */
export const defaultMaxMessageBytes = 4 * 1024 * 1024;

// Node's buffers share their memory, where TextEncoder takes new memory for each text: that was half the cost of a list.
configureTextEncoding({ ...getTextEncoding(), encodeUtf8: (text) => Buffer.from(text) });

/** The name of a method on the wire. */
export const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;

export function encode<D extends DescMessage>(desc: D, message: MessageInitShape<D>): Buffer {
  const bytes = toBinary(desc, create(desc, message));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
