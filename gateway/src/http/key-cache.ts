import { createHash } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { VerifyKeyResponse } from '@parley/proto/auth/v1/auth_service_pb';
import { keepLatest, type Log } from '@parley/runtime';
import { contextSigner, monotonicNow, newCall, randomId } from '@parley/runtime/rpc';
import { type ScopeName, scopeNames } from '../scopes.ts';
import type { Services } from '../services.ts';

/** Whose request it is. */
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

interface Entry {
  identity: Promise<Identity>;
  /** On the monotonic clock; afterwards the key is verified again. */
  until: number;
}

/**
 * Asks the auth service whose key it is, and caches the answer for ten seconds, but never past the key's expiry.
 * Concurrent requests with the same key share one verification; failures are not cached.
 */
export function createKeyCache(options: {
  auth: Pick<Services['auth'], 'verifyKey'>;
  secret: string;
  log: Log;
}): KeyCache {
  const { sign } = contextSigner(options.secret);
  const entries = new Map<string, Entry>();

  async function verify(key: string, requestId: string): Promise<Identity> {
    const call = newCall(
      { requestId, operation: randomId() },
      { sign, log: options.log, deadline: monotonicNow() + VERIFY_MS },
    );
    return identityOf(await options.auth.verifyKey({ key }, call.onward()));
  }

  /** The oldest come first. What is outdated goes, or the names of deleted accounts would stay in memory. */
  function dropOutdated() {
    for (const [hash, { until }] of entries) {
      if (until > monotonicNow()) return;
      entries.delete(hash);
    }
  }

  function ask(hash: string, key: string, requestId: string): Entry {
    dropOutdated();
    const entry: Entry = { identity: verify(key, requestId), until: monotonicNow() + MAX_AGE_MS };
    keepLatest(entries, hash, entry, MAX_KEYS);
    entry.identity.catch(() => {
      if (entries.get(hash) === entry) entries.delete(hash);
    });
    return entry;
  }

  return {
    async identify(key, requestId) {
      // The cache contains only hashes, no usable keys.
      const hash = createHash('sha256').update(key).digest('base64url');
      const cached = entries.get(hash);
      if (cached && cached.until > monotonicNow()) {
        const identity = await cached.identity;
        if (!hasExpired(identity)) return identity;
      }
      return ask(hash, key, requestId).identity;
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
