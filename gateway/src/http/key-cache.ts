import { createHash } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { VerifyKeyResponse } from '@parley/proto/auth/v1/auth_service_pb';
import type { Log, RootSecret } from '@parley/runtime';
import { monotonicNow, newCall, randomId } from '@parley/runtime/rpc';
import { LRUCache } from 'lru-cache';
import { type ScopeName, scopeNames } from '../scopes.ts';
import { gatewaySigner, type Services } from '../services.ts';

/** The account and the key that a request comes from. */
export interface Identity {
  account: { id: string; name: string };
  key: { id: string; name: string; scopes: ScopeName[]; restricted: boolean; expiresAt: Date | null };
}

export interface KeyCache {
  /** Throws UNAUTHENTICATED for an invalid key, UNAVAILABLE if it can't be checked. */
  identify(key: string, requestId: string): Promise<Identity>;
}

/** How long a revoked key may keep working, from the moment its verification was sent. */
const MAX_AGE_MS = 10_000;
const MAX_KEYS = 10_000;
const VERIFY_MS = 5_000;

/**
 * Asks the auth service whose key it is, and caches the answer for ten seconds, but never past the key's expiry.
 * Concurrent requests with the same key share one verification; failures are not cached.
 */
export function createKeyCache(options: {
  auth: Pick<Services['auth'], 'verifyKey'>;
  secret: RootSecret;
  log: Log;
}): KeyCache {
  const sign = gatewaySigner(options.secret);
  // What is outdated goes by itself, or the names of deleted accounts would stay in memory.
  const verified = new LRUCache<string, Promise<Identity>>({
    max: MAX_KEYS,
    ttl: MAX_AGE_MS,
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now: monotonicNow },
  });

  async function verify(key: string, requestId: string): Promise<Identity> {
    const call = newCall(
      { requestId, operation: randomId() },
      { sign, log: options.log, deadline: monotonicNow() + VERIFY_MS },
    );
    return identityOf(await options.auth.verifyKey({ key }, call.onward()));
  }

  function ask(hash: string, key: string, requestId: string): Promise<Identity> {
    const identity = verify(key, requestId);
    verified.set(hash, identity);
    identity.catch(() => {
      if (verified.peek(hash) === identity) verified.delete(hash);
    });
    return identity;
  }

  return {
    async identify(key, requestId) {
      // The cache contains only hashes, no usable keys.
      const hash = createHash('sha256').update(key).digest('base64url');
      const cached = verified.get(hash);
      if (!cached) return ask(hash, key, requestId);
      const identity = await cached;
      return hasExpired(identity) ? ask(hash, key, requestId) : identity;
    },
  };
}

const hasExpired = ({ key }: Identity): boolean => key.expiresAt !== null && key.expiresAt.getTime() <= Date.now();

function identityOf({ account, apiKey }: VerifyKeyResponse): Identity {
  const { id, name, restricted, expiresAt } = apiKey!;
  return {
    account: { id: account!.id, name: account!.name },
    key: { id, name, scopes: scopeNames(apiKey!), restricted, expiresAt: expiresAt ? timestampDate(expiresAt) : null },
  };
}
