import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { keepLatest, unauthenticated } from '@parley/runtime';
import { codeOf } from '@parley/runtime/rpc';
import type { FailureLimit } from './failure-limit.ts';
import type { Identity, KeyCache } from './key-cache.ts';
import type { Context, Middleware } from './state.ts';
import type { UploadAddresses } from './upload-address.ts';

const BEARER = /^bearer +([\x21-\x7e]+)$/i;
const MAX_KNOWN = 10_000;

/**
 * Requires a valid API key, `Authorization: Bearer <API_KEY>`, or a signed address, where the path needs one.
 *
 * An address with too many failures is refused without asking the auth service. Keys that were valid when this process last
 * checked them are exempt, so nobody behind the same address can lock them out.
 */
export function authentication(options: {
  keys: KeyCache;
  failures: FailureLimit;
  addressOf(request: IncomingMessage): string;
  addresses: UploadAddresses;
}): Middleware {
  const { keys, failures, addressOf, addresses } = options;
  /** Hashes of keys. */
  const known = new Map<string, true>();
  const asking = new Set<string>();

  async function identify(ctx: Context): Promise<Identity> {
    const key = BEARER.exec(ctx.get('authorization'))?.[1];
    if (key === undefined) {
      failures.take(addressOf(ctx.req));
      throw unauthenticated('Send an API key in the header Authorization: Bearer <API_KEY>.');
    }
    const hash = createHash('sha256').update(key).digest('base64url');
    // Counted in advance, so that concurrent attempts can't slip through. Concurrent requests with one key share one check.
    const counted = known.has(hash) || asking.has(hash) ? undefined : addressOf(ctx.req);
    if (counted !== undefined) failures.take(counted);
    asking.add(hash);
    try {
      const identity = await keys.identify(key, ctx.state.requestId);
      keepLatest(known, hash, true, MAX_KNOWN);
      if (counted !== undefined) failures.giveBack(counted);
      return identity;
    } catch (error) {
      const isRefused = codeOf(error) === 'unauthenticated';
      if (isRefused) known.delete(hash);
      if (counted !== undefined && !isRefused) failures.giveBack(counted);
      // UNAUTHENTICATED from a service means a bug on our side; only here is it about the caller.
      throw isRefused ? unauthenticated('This API key is not valid.', error) : error;
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
