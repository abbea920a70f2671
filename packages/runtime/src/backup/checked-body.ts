import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { failedPrecondition } from '../errors.ts';
import type { ObjectStore } from '../objects/objects.ts';

/** The error about a part that is not what was stored. */
export const damaged = (key: string) =>
  failedPrecondition(`The backup is damaged: ${key} is missing, or not what was stored. Restore another one.`);

/** A part of a backup, which fails at its end if it is not what was stored. */
export async function checkedBody(
  backups: ObjectStore,
  key: string,
  sha256: string,
  signal: AbortSignal,
): Promise<Readable> {
  const found = await backups.get(key, signal);
  if (!found) throw damaged(key);
  // Read only when asked: an error before anyone listens would end the process.
  const checked = Readable.from(checkedParts(found.body, key, sha256), { objectMode: false });
  found.body.on('error', () => {});
  checked.once('close', () => found.body.destroy());
  return checked;
}

async function* checkedParts(body: Readable, key: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const bytes of body) {
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest('hex') !== sha256) throw damaged(key);
}
