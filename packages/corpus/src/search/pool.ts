import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { unavailable } from '@parley/runtime';
import type { BuildInfo } from '../build/schema.ts';
import { type Engine, type Shard, searchShards } from './engine.ts';
import type { SearchWork, WorkReply } from './pool-worker.ts';

/** A build whose file is open in a thread of the pool. */
export interface PooledBuild {
  readonly path: string;
  readonly info: BuildInfo;
}

interface Pooled {
  readonly index: PooledBuild;
}

export interface SearchPool extends Engine<Pooled> {
  open(path: string): Promise<PooledBuild>;
  /** Closes a file that is to be deleted. */
  forget(path: string): void;
  close(): Promise<void>;
}

/** A file could not be read, or one of several: which, SQLite does not always say. */
export class BuildUnreadable extends Error {
  override readonly name = 'BuildUnreadable';
  readonly paths: readonly string[];

  constructor(paths: readonly string[], reason: string) {
    super(reason);
    this.paths = paths;
  }
}

/** More threads would compete with those that answer requests. */
const THREADS = Math.min(2, availableParallelism());
/** For what a search leaves behind at once. With V8's own limit, a thread keeps tens of MiB more, and is no faster. */
const YOUNG_GENERATION_MIB = 6;
/** Requests that wait for a thread. */
const MAX_WAITING = 500;

/** Searches the files of builds in threads of its own, so that requests are answered meanwhile. Each file has one thread. */
export function createSearchPool({ memoryBytes }: { memoryBytes: number }): SearchPool {
  const threads = Array.from({ length: THREADS }, () => createThread(memoryBytes / THREADS));
  /** By the last hexadecimal digit of what names a file, a hash. */
  const threadOf = (path: string) => threads[(path.codePointAt(path.lastIndexOf('.') - 1) ?? 0) % THREADS]!;
  return {
    async open(path) {
      return { path, info: await threadOf(path).run<BuildInfo>([path], 'info') };
    },
    forget: (path) =>
      void threadOf(path)
        .run([path], 'forget')
        .catch(() => {}),
    candidates: (builds, ...query) => searchShards(builds, ({ index }) => threadOf(index.path).shard, ...query),
    section: ({ index: { path } }, passage, isFaq) => threadOf(path).run([path], 'section', passage, isFaq),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

function createThread(memoryBytes: number) {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let last = 0;

  function launch(): Worker {
    const launched = new Worker(new URL('./pool-worker.ts', import.meta.url), {
      workerData: { memoryBytes },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    launched.on('message', ({ id, ...reply }: WorkReply) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (waiting.size === 0) launched.unref();
      if ('unreadable' in reply) reject(new BuildUnreadable(reply.unreadable, reply.reason));
      else resolve(reply.result);
    });
    const failed = (error?: Error) => {
      if (worker !== launched) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(unavailable('The search was interrupted. Try again.', error));
      waiting.clear();
    };
    launched.on('error', failed).on('exit', () => failed());
    return launched;
  }

  function run<T>(paths: readonly string[], act: SearchWork['act'], ...args: unknown[]): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (waiting.size >= MAX_WAITING) throw unavailable('Too many searches are waiting. Try again.');
      worker ??= launch();
      worker.ref();
      const id = ++last;
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      worker.postMessage({ id, paths, act, args } satisfies SearchWork);
    });
  }

  const pathsOf = (builds: readonly Pooled[]) => builds.map(({ index }) => index.path);
  const shard: Shard<Pooled> = {
    holding: (builds, words) => run(pathsOf(builds), 'holding', words),
    spellings: (builds, words) => run(pathsOf(builds), 'spellings', words),
    nominate: (builds, wanted) => run(pathsOf(builds), 'nominate', wanted),
    read: (builds, nominees, words) => run(pathsOf(builds), 'read', nominees, words),
  };
  return { run, shard, close: async () => void (await worker?.terminate()) };
}
