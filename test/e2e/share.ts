import { keep } from './keep.ts';
import { type System, system } from './system.ts';
import type { WorldOptions } from './world.ts';

/**
 * A system that test files of a process share. Returns a function that gives each file two unrelated accounts of its own on
 * it.
 */
export async function share(options: WorldOptions) {
  const common: System = await keep(
    JSON.stringify(options),
    () => system(options),
    ({ stop }) => stop(),
  )();
  return async function shared<T = void>(
    prepare: (own: System) => Promise<T> = async () => ({}) as T,
  ): Promise<System & T> {
    const own = { ...common, a: await common.account('Ada'), b: await common.account('Ben') };
    return { ...own, ...(await prepare(own)) };
  };
}
