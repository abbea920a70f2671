import { create, type DescMessage, type DescMethod, type MessageInitShape, toBinary } from '@bufbuild/protobuf';

/** Of one request or answer, on both sides. */
export const defaultMaxMessageBytes = 4 * 1024 * 1024;

/** The name of a method on the wire. */
export const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;

export function encode<D extends DescMessage>(desc: D, message: MessageInitShape<D>): Buffer {
  const bytes = toBinary(desc, create(desc, message));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
