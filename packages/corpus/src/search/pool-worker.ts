import { parentPort, workerData } from 'node:worker_threads';
import { type OpenBuild, openBuild } from '../build/open-build.ts';
import { createBlockCache } from './block-cache.ts';
import { holdingOf, nominate, type Part, readNominees } from './nominate.ts';
import { sectionOf } from './sections.ts';
import { spellingsOf } from './spelling.ts';

export interface SearchWork {
  readonly id: number;
  /** Paths of the files to act on. */
  readonly paths: readonly string[];
  readonly act: keyof typeof ACTS;
  readonly args: readonly unknown[];
}

export type WorkReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly unreadable: readonly string[]; readonly reason: string }
);

/** Files that are open: each takes a descriptor and about 300 KB. */
const MAX_OPEN = 300;

const { memoryBytes } = workerData as { memoryBytes: number };
const blocks = createBlockCache(memoryBytes);
const opened = new Map<string, OpenBuild>(); // least recently used first

const ACTS = {
  info: ([part]: Part[]) => part!.index.info,
  holding: holdingOf,
  spellings: spellingsOf,
  nominate: (parts: Part[], wanted: Parameters<typeof nominate>[1]) => nominate(parts, wanted, blocks),
  read: readNominees,
  section: ([part]: Part[], ...of: Tail<Parameters<typeof sectionOf>>) => sectionOf(part!.index, ...of),
  forget: () => {},
};

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

function use(path: string): Part {
  const index = opened.get(path) ?? openBuild(path);
  opened.delete(path); // and put it last
  opened.set(path, index);
  return { index };
}

function close(path: string) {
  const index = opened.get(path);
  if (!index) return;
  opened.delete(path);
  blocks.forget(index);
  index.close();
}

function work({ id, paths, act, args }: SearchWork): WorkReply {
  if (act === 'forget') {
    paths.forEach(close);
    return { id, result: undefined };
  }
  try {
    const parts = paths.map(use);
    const result = (ACTS[act] as (parts: Part[], ...args: readonly unknown[]) => unknown)(parts, ...args);
    for (const oldest of [...opened.keys()].slice(0, Math.max(0, opened.size - MAX_OPEN))) close(oldest);
    return { id, result };
  } catch (error) {
    paths.forEach(close);
    return { id, unreadable: paths, reason: (error as Error).message };
  }
}

parentPort!.on('message', (message: SearchWork) => parentPort!.postMessage(work(message)));
