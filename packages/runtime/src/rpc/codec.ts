import { create, type DescMessage, type DescMethod, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { configureTextEncoding, getTextEncoding } from '@bufbuild/protobuf/wire';

/** Limit of one request or response, on both sides. */
export const defaultMaxMessageBytes = 4 * 1024 * 1024;

// Node's buffers share a pool, while TextEncoder allocates for each text, which was half the cost of a list.
configureTextEncoding({ ...getTextEncoding(), encodeUtf8: (text) => Buffer.from(text) });

/** The HTTP/2 path of a method. */
export const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;

export function encode<D extends DescMessage>(desc: D, message: MessageInitShape<D>): Buffer {
  const bytes = toBinary(desc, create(desc, message));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The attributes of every span of a call. */
export const RPC = { 'rpc.system': 'grpc' } as const;

/** The name of a call's spans. */
export const rpcOf = (method: DescMethod): string => pathOf(method).slice(1);
