import { afterAll } from '@jest/globals';
import { type System, system } from './system.ts';
import type { WorldOptions } from './world.ts';

/**
 * Starts a system that tests which run as one group share. Returns a function that gives each file two unrelated accounts
 * of its own on it.
 */
export async function share(options: WorldOptions) {
  const common: System = await system(options);
  afterAll(common.stop);
  return async function shared<T = void>(
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
  };
}
