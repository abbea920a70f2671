import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { LoadError } from './load-error.ts';
import { size } from './sentences.ts';

/** One coding is what servers send; a stack of them is what bombs are made of. */
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface Bounds {
  /** Counted after decompression. */
  readonly maxBytes: number;
  /** Keep the first `maxBytes` of a larger body instead of refusing it. */
  readonly truncate?: boolean;
}

/** Reads a body as it was before compression, and no further than its bound. */
export async function readBody(body: Readable, coding: string, { maxBytes, truncate }: Bounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(body, coding.trim().toLowerCase()) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes && !truncate) throw new LoadError(`The page is larger than ${size(maxBytes)}.`);
    chunks.push(chunk);
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function decoded(body: Readable, coding: string): Readable {
  if (coding === '' || coding === 'identity') return body;
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw new LoadError(`The page is compressed in a way that can't be read (${coding.slice(0, 40)}).`);
  // The failure of either reaches whoever reads the decoder.
  return pipeline(body, decoder, () => {});
}
