import {
  type BuildCache,
  type Corpus,
  createBuildIndex,
  IncompleteBuild,
  type LiveBuild,
  type SearchedBuild,
} from '@parley/corpus';
import { unavailable } from '@parley/runtime';

const AT_ONCE = 4;
const TRIES = 3;

interface Parts {
  corpus: Corpus;
  cache: BuildCache;
}

/**
 * The live builds of items, ready to be searched. One that vanishes while it is read has a successor, which is loaded in
 * its place; an item that was deleted adds nothing.
 */
export async function loadBuilds(
  parts: Parts,
  account: string,
  live: ReadonlyMap<string, LiveBuild>,
): Promise<SearchedBuild[]> {
  const waiting = [...live];
  const loaded: SearchedBuild[] = [];
  async function loadThem() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const build = await loadBuild(parts, account, ...next);
      if (build) loaded.push(build);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loadThem));
  return loaded;
}

async function loadBuild(
  { corpus, cache }: Parts,
  account: string,
  knowledgeId: string,
  first: LiveBuild,
): Promise<SearchedBuild | undefined> {
  let live: LiveBuild | undefined = first;
  for (let tries = 1; live; tries++) {
    const whole: LiveBuild = live;
    const load = () => createBuildIndex(corpus.chunks.read(account, whole), whole.model ?? undefined);
    try {
      return { knowledgeId, index: await cache.get(whole.build, load) };
    } catch (error) {
      if (!(error instanceof IncompleteBuild)) throw error;
      if (tries === TRIES) throw unavailable('This knowledge can not be read for the moment. Try again.', error);
      live = (await corpus.items.liveBuilds(account, [knowledgeId])).get(knowledgeId);
    }
  }
  return undefined;
}
