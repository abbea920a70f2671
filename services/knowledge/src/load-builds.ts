import {
  type BuildCache,
  type BuildLease,
  bytesToLoad,
  type Corpus,
  createBuildIndex,
  IncompleteBuild,
  type LiveItem,
  type LoadBuild,
  MemoryExceeded,
  type NeededBuild,
  type SearchedBuild,
} from '@parley/corpus';
import { unavailable, unavailableDoNotRetry } from '@parley/runtime';

const AT_ONCE = 4;
const TRIES = 3;
const MIB = 1024 * 1024;

interface Parts {
  corpus: Corpus;
  cache: BuildCache;
}

/** Builds in memory, ready to be searched until disposed of. */
export interface LoadedBuilds extends Disposable {
  builds: SearchedBuild[];
}

/**
 * Loads the live builds of items. A build that is replaced while it is being read is loaded from its successor; a deleted
 * item adds nothing. Their memory is reserved before the first is read.
 *
 * @throws AppError `unavailable` if there is not enough memory.
 */
export async function loadBuilds(
  parts: Parts,
  account: string,
  live: ReadonlyMap<string, LiveItem>,
): Promise<LoadedBuilds> {
  const needed = await Promise.all([...live.values()].map((build) => needOf(parts.corpus, account, build)));
  return withinMemory(async () => {
    const lease = parts.cache.lease(needed);
    try {
      const builds = await loadAll(parts.corpus, lease, account, live);
      return { builds, [Symbol.dispose]: () => lease[Symbol.dispose]() };
    } catch (error) {
      lease[Symbol.dispose]();
      throw error;
    }
  });
}

async function loadAll(corpus: Corpus, lease: BuildLease, account: string, live: ReadonlyMap<string, LiveItem>) {
  const waiting = [...live];
  const loaded: SearchedBuild[] = [];
  async function loadThem() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const build = await loadBuild(corpus, lease, account, ...next);
      if (build) loaded.push(build);
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, loadThem));
    return loaded;
  } finally {
    waiting.length = 0;
  }
}

async function loadBuild(
  corpus: Corpus,
  lease: BuildLease,
  account: string,
  knowledgeId: string,
  first: LiveItem,
): Promise<SearchedBuild | undefined> {
  let live: LiveItem | undefined = first;
  for (let tries = 1; live; tries++) {
    const whole: LiveItem = live;
    const load: LoadBuild = (grown) =>
      createBuildIndex(corpus.chunks.read(account, whole), whole.model ?? undefined, { expected: whole.chunks, grown });
    try {
      const index = await lease.get(await needOf(corpus, account, whole), load);
      return { knowledgeId, index, isFaq: whole.type === 'faq', calibration: whole.calibration };
    } catch (error) {
      if (!(error instanceof IncompleteBuild)) throw error;
      if (tries === TRIES) throw unavailable('This knowledge cannot be read at the moment. Try again.', error);
      live = (await corpus.items.liveBuilds(account, [knowledgeId])).get(knowledgeId);
    }
  }
  return undefined;
}

/** Builds that an earlier version published have no dimension: one of their chunks shows it. */
async function needOf(corpus: Corpus, account: string, live: LiveItem): Promise<NeededBuild> {
  const { build, chunks, characters, model } = live;
  const dimension = live.dimension ?? (model === null ? 0 : await corpus.chunks.dimension(account, build, model));
  return { account, build, bytes: bytesToLoad({ chunks, characters, dimension }) };
}

async function withinMemory<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof MemoryExceeded) throw unavailableDoNotRetry(sentenceOf(error), error);
    throw error;
  }
}

function sentenceOf({ alone, bytes, maxBytes }: MemoryExceeded): string {
  const [wanted, most] = [Math.ceil(bytes / MIB), Math.floor(maxBytes / MIB)];
  return alone
    ? `This knowledge is too large to be searched: it needs about ${wanted} MiB of memory, and searches may use ${most} (SEARCH_MEMORY_MIB). Attach less of it, or train smaller items.`
    : 'Searches in progress are using all the memory they may use (SEARCH_MEMORY_MIB). Try again.';
}
