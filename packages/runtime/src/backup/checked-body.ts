import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
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
  const hash = createHash('sha256');
  const checked = new Transform({
    transform(bytes, _, done) {
      hash.update(bytes);
      done(null, bytes);
    },
    flush: (done) => done(hash.digest('hex') === sha256 ? null : damaged(key)),
  });
  found.body.once('error', (error) => checked.destroy(error));
  checked.once('close', () => found.body.destroy());
  return found.body.pipe(checked);
}
