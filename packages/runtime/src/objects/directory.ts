import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HEADER_BYTES, readHeader, writeHeader } from './file-header.ts';
import {
  checkContentType,
  checkFolder,
  checkKey,
  DEFAULT_CONTENT_TYPE,
  type ListedObject,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
  storeAway,
  tooLarge,
} from './objects.ts';

/** No key begins with a dot, so no folder can have this name. */
const UNFINISHED = '.unfinished';
const LEFTOVER_MS = 3_600_000;
const DELETE_LIMIT = 1_000;
/** Codes of a disk or a quota that is full, and of a disk that only reads. */
const TAKES_NOTHING: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS'];

/**
 * Objects as files in one directory, for one machine: a file is a header with the content type, then the body. A put
 * writes a temporary file, syncs it, renames it into place and syncs the folders.
 */
export function createDirectoryStore({ dir }: { dir: string }): ObjectStore {
  const root = path.resolve(dir);
  const unfinished = path.join(root, UNFINISHED);
  const fileOf = (key: string) => {
    checkKey(key);
    return path.join(root, key);
  };

  async function put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<StoredObject> {
    const temporary = path.join(unfinished, randomUUID());
    try {
      const file = fileOf(key);
      const stored = await writeFile(temporary, body, options);
      await moveInto(root, file, temporary);
      return stored;
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      await rm(temporary, { force: true });
      options.signal?.throwIfAborted();
      throw TAKES_NOTHING.includes((error as NodeJS.ErrnoException).code) ? storeAway(error) : error;
    }
  }

  async function get(key: string, signal?: AbortSignal) {
    signal?.throwIfAborted();
    const handle = await absentAs(undefined, open(fileOf(key)));
    if (!handle) return undefined;
    try {
      const found = await statOf(key, handle);
      return { ...found, body: handle.createReadStream({ start: HEADER_BYTES, signal }) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async function statObject(key: string) {
    const handle = await absentAs(undefined, open(fileOf(key)));
    if (!handle) return undefined;
    try {
      return await statOf(key, handle);
    } finally {
      await handle.close();
    }
  }

  async function remove(key: string) {
    const file = fileOf(key);
    await absentAs(undefined, unlink(file));
    await syncFolders(root, path.dirname(file));
    await removeEmptyFolders(root, path.dirname(file));
  }

  async function* list(folder: string): AsyncGenerator<ListedObject> {
    checkFolder(folder);
    const entries = await absentAs([], readdir(path.join(root, folder), { withFileTypes: true }));
    const names = entries.filter((e) => e.name !== UNFINISHED).map((e) => (e.isDirectory() ? `${e.name}/` : e.name));
    for (const name of names.sort()) {
      const key = folder + name;
      if (name.endsWith('/')) {
        yield* list(key);
        continue;
      }
      const file = await absentAs(undefined, stat(path.join(root, key)));
      if (file) yield { key, size: file.size - HEADER_BYTES, modifiedAt: file.mtime };
    }
  }

  async function deletePrefix(folder: string, limit = DELETE_LIMIT): Promise<number> {
    let deleted = 0;
    for await (const { key } of list(folder)) {
      if (deleted === limit) break;
      await remove(key);
      deleted += 1;
    }
    return deleted;
  }

  return {
    name: 'object store',
    async start() {
      await mkdir(unfinished, { recursive: true });
      await removeLeftovers(unfinished);
    },
    put,
    get,
    stat: statObject,
    delete: remove,
    deletePrefix,
    list,
    async ready() {
      await stat(unfinished).catch((error) => {
        throw new Error('The directory of the object store is unavailable', { cause: error });
      });
    },
  };
}

async function writeFile(file: string, body: Uint8Array | Readable, options: PutOptions): Promise<StoredObject> {
  const { contentType = DEFAULT_CONTENT_TYPE, maxBytes = Number.POSITIVE_INFINITY, signal } = options;
  checkContentType(contentType);
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    await writeHeader(handle, { contentType });
    const source = body instanceof Readable ? body : Readable.from([body], { objectMode: false });
    await pipeline(
      source,
      async (parts: AsyncIterable<Uint8Array>) => {
        for await (const part of parts) {
          size += part.byteLength;
          if (size > maxBytes) throw tooLarge(maxBytes);
          hash.update(part);
          await handle.writeFile(part);
        }
      },
      { signal },
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest('hex') };
}

async function statOf(key: string, handle: FileHandle) {
  const [{ contentType }, file] = [await readHeader(handle), await handle.stat()];
  return { key, size: file.size - HEADER_BYTES, contentType, modifiedAt: file.mtime };
}

const MOVE_TRIES = 10;

async function moveInto(root: string, file: string, temporary: string) {
  const folder = path.dirname(file);
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(folder, { recursive: true });
      await rename(temporary, file);
      break;
    } catch (error) {
      // A concurrent delete may have removed the folder while it was empty.
      if (!isAbsent(error) || tries === MOVE_TRIES) throw error;
    }
  }
  await syncFolders(root, folder);
}

/**
 * Syncs a folder and all its parents, so that new entries survive a power cut. All of them, because a concurrent put may
 * have created one that has not reached the disk yet.
 */
async function syncFolders(root: string, folder: string) {
  for (let current = folder; ; current = path.dirname(current)) {
    const handle = await absentAs(undefined, open(current));
    await handle?.sync().finally(() => handle.close());
    if (current === root) return;
  }
}

async function removeEmptyFolders(root: string, folder: string) {
  for (let current = folder; current !== root; current = path.dirname(current)) {
    const removed = await rmdir(current).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** A temporary file that is older than an hour belongs to a process that died. */
async function removeLeftovers(unfinished: string) {
  for (const name of await readdir(unfinished)) {
    const file = path.join(unfinished, name);
    const found = await absentAs(undefined, stat(file));
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
  }
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const absentAs = <T, A>(absent: A, promise: Promise<T>): Promise<T | A> =>
  promise.catch((error) => {
    if (isAbsent(error)) return absent;
    throw error;
  });
