import {
  BuildDamaged,
  type BuildFiles,
  BuildUnreadable,
  type Corpus,
  type LiveItem,
  type PooledBuild,
  type SearchedBuild,
  type SearchPool,
} from '@parley/corpus';
import { type AppError, unavailable } from '@parley/runtime';

export interface SearchDependencies {
  corpus: Corpus;
  files: BuildFiles;
  pool: SearchPool;
}

type Live = ReadonlyMap<string, LiveItem>;
type Act<T> = (builds: SearchedBuild<PooledBuild>[]) => Promise<T>;

/**
 * Searches the live builds of items: their files are on local disk until `act` ends. A local copy that turns out to be damaged
 * is fetched again. One whose object is damaged, too, is trained again; meanwhile nothing is searched, since an answer
 * without it may be wrong.
 *
 * @throws AppError `unavailable` with a sentence if there is no room for the files, or one of them can't be read.
 */
export async function searchLive<T>(
  dependencies: SearchDependencies,
  account: string,
  live: Live,
  act: Act<T>,
): Promise<T> {
  try {
    return await once(dependencies, account, live, act);
  } catch (error) {
    if (error instanceof BuildUnreadable) error.paths.forEach(dependencies.files.doubt);
    else if (!(error instanceof BuildDamaged)) throw error;
    // A build that was replaced meanwhile may be gone already.
    const now = await dependencies.corpus.items.liveBuilds(account, [...live.keys()]);
    return once(dependencies, account, now, act).catch(async (again) => {
      if (again instanceof BuildDamaged) throw await repaired(dependencies.corpus, account, now, again);
      if (again instanceof BuildUnreadable) throw unavailable(UNREADABLE, again);
      throw again;
    });
  }
}

const UNREADABLE = 'The index of this knowledge cannot be read from local disk (INDEX_DIR). Try again later.';

async function once<T>({ files, pool }: SearchDependencies, account: string, live: Live, act: Act<T>): Promise<T> {
  const wanted = [...live.values()].map(({ build, file }) => ({ account, build, ...file }));
  using lease = await files.lease(wanted);
  const builds = [...live].map(async ([knowledgeId, { build, type }]) => {
    const index = await pool.open(lease.paths.get(build)!);
    return { knowledgeId, index, isFaq: type === 'faq', calibration: index.info.calibration };
  });
  return await act(await Promise.all(builds));
}

async function repaired({ training }: Corpus, account: string, live: Live, damaged: BuildDamaged): Promise<AppError> {
  const [id] = [...live].find(([, { build }]) => build === damaged.build)!;
  await training.repair(account, id, damaged.build);
  return unavailable('The index of this knowledge is damaged. It is being trained again; try again later.', damaged);
}
