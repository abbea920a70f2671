import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

/** Servers apply one coding; decompression bombs stack several. */
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const SMALLEST_BUFFER = 16 * 1024;

export interface Bounds {
  /** Counted after decompression. */
  readonly maxBytes: number;
  /** Keep the first `maxBytes` of a larger body instead of refusing it. */
  readonly truncate?: boolean;
}

/**
 * Reads and decompresses a body, up to its limit. Chunks are copied, not collected: a body sent byte by byte would take
 * a hundred times its size.
 */
export async function readBody(body: Readable, coding: string, { maxBytes, truncate }: Bounds): Promise<Buffer> {
  let read = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of decoded(body, coding.trim().toLowerCase()) as AsyncIterable<Buffer>) {
    const isTooLarge = bytes + chunk.length > maxBytes;
    if (isTooLarge && !truncate) throw new OutboundError({ kind: 'too_large', maxBytes });
    const kept = chunk.subarray(0, maxBytes - bytes);
    read = withRoom(read, bytes, kept.length, maxBytes);
    bytes += kept.copy(read, bytes);
    if (isTooLarge) break;
  }
  return read.subarray(0, bytes);
}

/** A buffer that starts with the same bytes and has more room; its size doubles, up to `maxBytes`. */
function withRoom(buffer: Buffer<ArrayBuffer>, used: number, more: number, maxBytes: number): Buffer<ArrayBuffer> {
  if (used + more <= buffer.length) return buffer;
  const grown = Buffer.alloc(Math.min(Math.max(used + more, buffer.length * 2, SMALLEST_BUFFER), maxBytes));
  buffer.copy(grown, 0, 0, used);
  return grown;
}

function decoded(body: Readable, coding: string): Readable {
  if (coding === '' || coding === 'identity') return body;
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw new OutboundError({ kind: 'unknown_coding', coding: coding.slice(0, 40) });
  // Errors of either stream reach the reader of the decoder.
  return pipeline(body, decoder, () => {});
}
