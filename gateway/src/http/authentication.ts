import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unauthenticated } from '@parley/runtime';
import { codeOf } from '@parley/runtime/rpc';
import { LRUCache } from 'lru-cache';
import type { FailureLimit } from './failure-limit.ts';
import type { Identity, KeyCache } from './key-cache.ts';
import type { SlowLane } from './slow-lane.ts';
import type { Context, Middleware } from './state.ts';
import type { UploadAddresses } from './upload-address.ts';

const BEARER = /^bearer +([\x21-\x7e]+)$/i;
const MAX_KNOWN = 10_000;

/**
 * Requires a valid API key, `Authorization: Bearer <API_KEY>`, or a signed address, where the path needs one.
 *
 * Once an address has failed too often, its keys are checked in a slow lane, so that guessing burdens the auth service
 * little and yet nobody behind the same address is locked out. Keys that were valid when this process last checked them
 * don't need it.
 */
export function authentication(options: {
  keys: KeyCache;
  failures: FailureLimit;
  slowLane: SlowLane;
  addressOf(request: IncomingMessage): string;
  addresses: UploadAddresses;
}): Middleware {
  const { keys, failures, slowLane, addressOf, addresses } = options;
  /** Hashes of keys. */
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  const asking = new Set<string>();

  async function check(key: string, hash: string, requestId: string): Promise<Identity> {
    try {
      const identity = await keys.identify(key, requestId);
      known.set(hash, true);
      return identity;
    } catch (error) {
      if (codeOf(error) !== 'unauthenticated') throw error;
      known.delete(hash);
      // UNAUTHENTICATED from a service means a bug on our side; only here is it about the caller.
      throw unauthenticated('This API key is not valid.', error);
    }
  }

  async function identify(ctx: Context): Promise<Identity> {
    const address = addressOf(ctx.req);
    const key = BEARER.exec(ctx.get('authorization'))?.[1];
    if (key === undefined)
      throw failures.take(address) ?? unauthenticated('Send an API key in the header Authorization: Bearer <API_KEY>.');
    const hash = createHash('sha256').update(key).digest('base64url');
    const asked = () => check(key, hash, ctx.state.requestId);
    ctx.state.identifyAgain = asked;
    // Concurrent requests with one key share one check.
    if (known.has(hash) || asking.has(hash)) return asked();
    // Counted in advance, so that concurrent attempts can't slip through.
    const refusal = failures.take(address);
    if (refusal) return slowLane.check(address, hash, refusal, asked);
    asking.add(hash);
    try {
      const identity = await asked();
      failures.giveBack(address);
      return identity;
    } catch (error) {
      if (codeOf(error) !== 'unauthenticated') failures.giveBack(address);
      throw error;
    } finally {
      asking.delete(hash);
    }
  }

  return async function authentication(ctx, next) {
    const { access, route, params } = ctx.state.found;
    if (access !== 'none') ctx.set('Cache-Control', 'no-store');
    if (access === 'key') ctx.state.identity = await identify(ctx);
    else if (access === 'upload' && route)
      ctx.state.uploader = addresses.verify((params['id'] ?? '').toLowerCase(), ctx.query);
    await next();
  };
}
