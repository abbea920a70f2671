import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, type Component } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import type { BuildFile } from '../model.ts';
import { buildFileKey } from '../object-keys.ts';

/** A build's file in the object store. */
export interface RemoteBuild extends BuildFile {
  readonly account: string;
  readonly build: string;
}

/** Local copies of builds, which stay until this is disposed of. */
export interface BuildLease extends Disposable {
  /** By build. */
  readonly paths: ReadonlyMap<string, string>;
}

export interface BuildFiles extends Component {
  /** @throws BuildDamaged; NoRoom for all of them; AppError `unavailable` if the store is. */
  lease(builds: readonly RemoteBuild[]): Promise<BuildLease>;
  /** Moves a file that was just written and uploaded to where it would be fetched to, if there is room. */
  adopt(build: RemoteBuild, path: string): Promise<void>;
  /** Has a local copy that could not be read checked again when it is next leased. */
  doubt(path: string): void;
  /** Deletes the local copies of an account's builds. */
  forget(account: string): Promise<void>;
  /** The size of all local copies. */
  bytes(): number;
  /** A path for a file to be written; what is left there by a process that died is deleted at the next start. */
  temporary(): Promise<string>;
}

/** The store's copy of a build is missing, or not what was written. */
export class BuildDamaged extends Error {
  override readonly name = 'BuildDamaged';
  readonly build: string;

  constructor(build: string, what: string) {
    super(`The file of build ${build} ${what}.`);
    this.build = build;
  }
}

/** There is no room on local disk for what is needed, as a sentence. */
export class NoRoom extends AppError {
  constructor(message: string, mayPass = false) {
    super('unavailable', message, undefined, !mayPass);
  }
}

interface Entry {
  readonly bytes: number;
  holders: number;
  usedAt: number;
  /** The file is there, and what it should be. */
  ready?: Promise<void> | undefined;
  /** Fingerprint that changes with the file; undefined until it is ready. */
  seen?: string | undefined;
}

const EXTENSION = '.sqlite';
const UNFINISHED = '.part';
const MIB = 1024 * 1024;
const FETCHED_AT_ONCE = 4;
const READ_BYTES = 256 * 1024;
/** Codes of errors of a full disk, and of a full quota. */
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT'];
/** Copies of deleted builds are removed after this time. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Builds in a local folder, named by their accounts and by what is in them. Those that were used last are kept for a day, as
 * long as there is room. Several processes may share a folder, each with its own count of what is there.
 *
 * @param dropped called with a file before it is deleted or fetched again.
 */
export function createBuildFiles(options: {
  dir: string;
  maxBytes: number;
  objects: Pick<ObjectStore, 'get'>;
  dropped?: (path: string) => void;
}): BuildFiles {
  const { maxBytes, objects, dropped } = options;
  const dir = path.resolve(options.dir);
  const entries = new Map<string, Entry>(); // by path, least recently used first
  let total = 0;

  const pathOf = ({ account, sha256 }: RemoteBuild) => path.join(dir, `${account}.${sha256}${EXTENSION}`);
  async function temporary() {
    await mkdir(dir, { recursive: true });
    return path.join(dir, unfinishedName());
  }

  async function drop(file: string) {
    const entry = entries.get(file);
    if (!entry) return;
    entries.delete(file);
    total -= entry.bytes;
    dropped?.(file);
    await rm(file, { force: true });
  }

  /** Drops what has not been used for long. @throws AppError if what is in use leaves no room. */
  async function makeRoom() {
    const since = Date.now() - KEPT_MS;
    for (const [file, { holders, usedAt }] of entries)
      if (holders === 0 && (total > maxBytes || usedAt < since)) await drop(file);
    if (total > maxBytes)
      throw new NoRoom(
        `All of the ${inMib(maxBytes)} MiB for builds on local disk (INDEX_DISK_MIB) are in use. Try again.`,
        true,
      );
  }

  /** Holds the entry of a build, its file to be fetched. */
  function hold(build: RemoteBuild): Entry {
    const file = pathOf(build);
    const entry = entries.get(file) ?? { bytes: build.bytes, holders: 0, usedAt: 0 };
    if (!entries.has(file)) total += build.bytes;
    entries.delete(file); // and put it last
    entries.set(file, entry);
    entry.holders++;
    entry.usedAt = Date.now();
    return entry;
  }

  /** Waits until the file of a build is there. One that has changed since, or was deleted, is checked and fetched again. */
  async function prepare(build: RemoteBuild, entry: Entry) {
    const file = pathOf(build);
    if (entry.seen !== undefined && entry.seen !== stampOf(file)) {
      dropped?.(file);
      entry.ready = entry.seen = undefined;
    }
    entry.ready ??= isWhole(file, build)
      .then((whole) => (whole ? undefined : fetch(build)))
      .then(() => {
        entry.seen = stampOf(file);
      });
    await entry.ready.catch((error) => {
      entry.ready = undefined;
      throw error;
    });
  }

  async function fetch(build: RemoteBuild, again = true): Promise<void> {
    const part = path.join(dir, unfinishedName());
    const hash = createHash('sha256');
    try {
      await mkdir(dir, { recursive: true });
      const found = await objects.get(buildFileKey(build.account, build.build));
      if (!found) throw new BuildDamaged(build.build, 'is missing');
      const hashed = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      };
      await pipeline(found.body, hashed, createWriteStream(part));
      if (hash.digest('hex') !== build.sha256) throw new BuildDamaged(build.build, 'is not what was written');
      await rename(part, pathOf(build));
    } catch (error) {
      await rm(part, { force: true });
      const { code } = error as NodeJS.ErrnoException;
      const isFull = FULL.includes(code);
      if (!isFull && code !== 'ENOENT') throw error; // The folder may be deleted while it is written to.
      const unused = [...entries].filter(([, { holders }]) => isFull && holders === 0);
      for (const [file] of unused) await drop(file);
      if (again) return fetch(build, false);
      if (!isFull) throw error;
      throw new NoRoom(`The disk with ${dir} (INDEX_DIR) is full. Free some of it.`);
    }
  }

  return {
    name: 'build files',
    temporary,
    bytes: () => total,
    async start() {
      await mkdir(dir, { recursive: true });
      for (const name of await readdir(dir)) {
        const file = path.join(dir, name);
        if (name.endsWith(UNFINISHED) && (await isLeftOver(file))) await rm(file, { force: true });
        const found = name.endsWith(EXTENSION) ? await stat(file).catch(() => undefined) : undefined;
        if (!found || entries.has(file)) continue;
        entries.set(file, { bytes: found.size, holders: 0, usedAt: found.mtimeMs });
        total += found.size;
      }
    },
    async lease(builds) {
      const wanted = [...new Map(builds.map((build) => [pathOf(build), build])).values()];
      const needed = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
      if (needed > maxBytes) throw new NoRoom(tooLarge(needed, maxBytes));
      const held = wanted.map((build) => ({ build, entry: hold(build) }));
      const release = () => {
        for (const { entry } of held.splice(0)) entry.holders--;
      };
      try {
        await makeRoom();
        const waiting = held.values();
        const fetchThem = async () => {
          for (const { build, entry } of waiting) await prepare(build, entry);
        };
        await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, fetchThem));
      } catch (error) {
        release();
        throw error;
      }
      return { paths: new Map(builds.map((build) => [build.build, pathOf(build)])), [Symbol.dispose]: release };
    },
    async adopt(build, from) {
      const entry = hold(build);
      try {
        await makeRoom();
        await rename(from, pathOf(build));
      } catch {
        await rm(from, { force: true });
      } finally {
        entry.holders--;
      }
    },
    doubt(file) {
      const entry = entries.get(file);
      if (entry?.seen !== undefined) entry.seen = '';
    },
    async forget(account) {
      for (const file of entries.keys()) if (path.basename(file).startsWith(`${account}.`)) await drop(file);
    },
  };
}

const unfinishedName = () => `${process.pid}-${randomUUID()}${UNFINISHED}`;

/** Any write to a file changes it. Waiting for a local disk costs less than a turn of the event loop for each of many files. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.ctimeMs}` : '';
}

async function isWhole(file: string, { bytes, sha256 }: BuildFile): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.size !== bytes) return false;
  const hash = createHash('sha256');
  // One buffer for the whole file: a stream would leave memory behind that is never given back.
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  await using handle = await open(file);
  for (let read = await handle.read(buffer); read.bytesRead > 0; read = await handle.read(buffer))
    hash.update(buffer.subarray(0, read.bytesRead));
  return hash.digest('hex') === sha256;
}

/** Returns whether the process that wrote it has died; its number may be ours by now. */
async function isLeftOver(file: string): Promise<boolean> {
  const pid = Number(path.basename(file).split('-')[0]);
  if (pid === process.pid) return (await stat(file)).mtimeMs < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

const inMib = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en');

const tooLarge = (needed: number, most: number): string =>
  `This knowledge is too large to be searched: its index has ${inMib(needed)} MiB, and ${inMib(most)} may be on local disk (INDEX_DISK_MIB). Attach less of it.`;
