import type { Readable } from 'node:stream';
import type { Limits } from './limits.ts';
import { type Refusal, tooLarge } from './refusal.ts';

/** A message in memory, which counts as held until it is disposed of. */
export interface Collected extends Disposable {
  raw: Buffer;
}

/**
 * Reads a message of a client. What is too large, or has no room, is read to its end all the same: a client hears the reply only then.
 *
 * @throws Refusal
 */
export async function collect(stream: Readable, ip: string, maxBytes: number, limits: Limits): Promise<Collected> {
  const chunks: Buffer[] = [];
  let held = 0;
  let refusal: Refusal | undefined;
  const release = () => {
    limits.release(ip, held);
    held = 0;
    chunks.length = 0;
  };
  const keep = (chunk: Buffer) => {
    if (held + chunk.length > maxBytes) throw tooLarge(maxBytes);
    limits.hold(ip, chunk.length);
    held += chunk.length;
    chunks.push(chunk);
  };
  try {
    for await (const chunk of stream) {
      if (refusal) continue;
      try {
        keep(chunk);
      } catch (error) {
        refusal = error as Refusal;
        release();
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  if (refusal) throw refusal;
  return { raw: Buffer.concat(chunks), [Symbol.dispose]: release };
}
