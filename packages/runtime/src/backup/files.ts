import type { ObjectStore } from '../objects/objects.ts';
import { checkedBody } from './checked-body.ts';
import type { FileList, ListedFile } from './file-list.ts';
import { fileKey } from './manifest.ts';

const AT_ONCE = 8;
const SAY_EVERY_MS = 10_000;

interface Copying {
  objects: ObjectStore;
  backups: ObjectStore;
  /** The name of the backup. */
  name: string;
  list: FileList;
  signal: AbortSignal;
  say(line: string): void;
}

/**
 * Copies to a backup what it does not have yet.
 *
 * @param round counts up: what an earlier round has copied and this one does not see any more was deleted meanwhile
 * @param until leaves out what was stored later
 */
export async function saveFiles(copying: Copying, round: number, until = Number.POSITIVE_INFINITY): Promise<void> {
  const { objects, backups, name, list, signal } = copying;
  const progress = progressOf(copying);
  await eachOf(objects.list(''), signal, async ({ key, size, modifiedAt }) => {
    const modified = modifiedAt.getTime();
    if (modified > until || list.has({ key, size, modified }, round)) return;
    const found = await objects.get(key, signal);
    if (!found) return;
    const { contentType } = found;
    const stored = await backups.put(fileKey(name, key), found.body, { contentType, signal });
    list.add({ key, ...stored, contentType, modified }, round);
    progress(stored.size);
  });
}

/** Removes from a backup what this round has not seen. */
export async function dropUnseen({ backups, name, list, signal }: Copying, round: number): Promise<void> {
  for (let key = list.unseen(round); key !== undefined; key = list.unseen(round)) {
    signal.throwIfAborted();
    await backups.delete(fileKey(name, key));
    list.forget(key);
  }
}

/** Writes the files of a backup into an empty store. @throws AppError `failed_precondition` if the backup is damaged */
export async function restoreFiles(copying: Copying): Promise<void> {
  const { objects, backups, name, list, signal } = copying;
  const progress = progressOf(copying);
  await eachOf<ListedFile>(list.all(), signal, async ({ key, sha256, contentType, size }) => {
    await objects.put(key, await checkedBody(backups, fileKey(name, key), sha256, signal), { contentType, signal });
    progress(size);
  });
}

/** Says every ten seconds how far it has got. */
function progressOf({ say }: Pick<Copying, 'say'>) {
  let [count, bytes, said] = [0, 0, performance.now()];
  return (size: number) => {
    count += 1;
    bytes += size;
    if (performance.now() - said < SAY_EVERY_MS) return;
    said = performance.now();
    say(`files: ${count} copied, ${Math.round(bytes / (1 << 20))} MiB`);
  };
}

/** Runs `work` on each, on a few at a time. Ends with the first failure. */
async function eachOf<T>(
  all: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  for await (const one of all) {
    if (failure) break;
    signal.throwIfAborted();
    const working = work(one)
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => running.delete(working));
    running.add(working);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  if (failure) throw failure.error;
}
