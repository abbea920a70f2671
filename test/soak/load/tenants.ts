import { setTimeout as pause } from 'node:timers/promises';
import { type LiveTenant, openTenant, type TenantOptions } from './live-tenant.ts';

/** The load: accounts that come and go, so that the amount of data stays the same. */
export interface Tenants {
  /** Ends all rounds in progress, and checks that nothing acknowledged was lost; the last accounts stay. Idempotent. */
  rest(): Promise<void>;
  /** Deletes the last accounts. */
  remove(): Promise<void>;
  /** How many there have been. */
  readonly count: number;
}

const AT_ONCE = 3;

/** @param lifeMs how long an account lives */
export function startTenants(options: Omit<TenantOptions, 'name'>, lifeMs: number): Tenants {
  const { recorder } = options.world;
  const alive = new Set<LiveTenant>();
  const resting = new AbortController();
  let count = 0;

  async function live(ms: number): Promise<void> {
    count += 1;
    const tenant = await openTenant({ ...options, name: `Pottery ${count}` });
    alive.add(tenant);
    await pause(ms, undefined, { signal: resting.signal }).catch(() => {});
    if (resting.signal.aborted) return;
    alive.delete(tenant);
    await tenant.rest();
    await tenant.remove();
  }

  /** One account after another; the first ones of all slots end at different times. */
  async function slot(index: number): Promise<void> {
    for (let ms = (lifeMs * (index + 1)) / AT_ONCE; !resting.signal.aborted; ms = lifeMs)
      await live(ms).catch((error) => recorder.failed(`An account: ${error.message}`));
  }

  const slots = Array.from({ length: AT_ONCE }, (_, index) => slot(index));
  const each = async (act: (tenant: LiveTenant) => Promise<void>) => void (await Promise.all([...alive].map(act)));
  async function endAll(): Promise<void> {
    resting.abort();
    await Promise.all(slots);
    await each((tenant) => tenant.rest());
  }

  let ended: Promise<void> | undefined;
  return {
    rest() {
      ended ??= endAll();
      return ended;
    },
    remove: () => each((tenant) => tenant.remove()),
    get count() {
      return count;
    },
  };
}
