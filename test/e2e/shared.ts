import { afterAll } from '@jest/globals';
import { type System, system } from './system.ts';

/** One trainer, so that tests can keep it busy. One private address may be crawled; all others are refused. */
const VARIABLES = { TRAINER_CONCURRENCY: '1', CRAWL_ALLOW: '127.0.0.1/32' };

const common: System = await system({ embeddings: 'none', variables: VARIABLES });
afterAll(common.stop);

/** A system that needs no special settings; tests that run as one group share it. The two unrelated accounts are the caller's own. */
export async function shared<T = void>(
  prepare: (own: System) => Promise<T> = async () => ({}) as T,
): Promise<System & T> {
  try {
    const own = { ...common, a: await common.account('Ada'), b: await common.account('Ben') };
    return { ...own, ...(await prepare(own)) };
  } catch (error) {
    // Jest does not run `afterAll` of a file that fails to load.
    await common.stop();
    throw error;
  }
}
