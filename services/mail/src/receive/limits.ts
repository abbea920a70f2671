import { accountShare, addressIn, createTally, isInNetworks, networkOf } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { ReceivingLimits } from '../config.ts';
import { tooBusy, tooMany } from './refusal.ts';

const MINUTE_MS = 60_000;
/** Addresses whose mails are counted; more than that in a minute are forgotten early. */
const MAX_ADDRESSES = 10_000;
/** One address may have this share of the connections. */
const SHARE = 0.1;

/**
 * Limits on clients of this process. The limits by address are for each process: with several behind one address, a client may
 * have as many times as much.
 */
export interface Limits {
  isTrusted(ip: string): boolean;
  /** Whose share an address uses: its own, or that of its /64; undefined for a trusted relay, which no share limits. */
  clientOf(ip: string): string | undefined;
  /** @throws Refusal if the address has enough connections. */
  connect(ip: string): void;
  disconnect(ip: string): void;
  /** Counts a mail. @throws Refusal if the address has sent enough in this minute. */
  begin(ip: string): void;
  /** Counts bytes that are held. @throws Refusal if there is no room for them, or the address holds half of what all may. */
  hold(ip: string, bytes: number): void;
  release(ip: string, bytes: number): void;
}

export function createLimits(
  { trusted, connections, perMinute, bytes, bytesInFlight }: ReceivingLimits,
  now: () => number = () => performance.now(),
): Limits {
  const connected = createTally();
  const begun = new LRUCache<string, { mails: number }>({
    ...{ max: MAX_ADDRESSES, ttl: MINUTE_MS, ttlResolution: 0, perf: { now } },
  });
  const heldBy = createTally();
  // Room for one mail in any case.
  const share = Math.max(accountShare(bytesInFlight), bytes);
  let held = 0;
  const isTrusted = (ip: string) => {
    const address = addressIn(ip);
    return address !== undefined && isInNetworks(trusted, address);
  };
  const client = (ip: string) => networkOf(addressIn(ip) ?? ip);
  const most = Math.max(1, Math.floor(connections * SHARE));
  return {
    isTrusted,
    clientOf: (ip) => (isTrusted(ip) ? undefined : client(ip)),
    connect(ip) {
      if (!isTrusted(ip) && connected.of(client(ip)) >= most) throw tooMany();
      connected.add(client(ip), 1);
    },
    disconnect: (ip) => connected.add(client(ip), -1),
    begin(ip) {
      if (isTrusted(ip)) return;
      const counted = begun.get(client(ip)) ?? { mails: 0 };
      if (counted.mails >= perMinute) throw tooMany();
      // The first one sets when the minute ends.
      if (counted.mails === 0) begun.set(client(ip), counted);
      counted.mails += 1;
    },
    hold(ip, bytes) {
      if (!isTrusted(ip) && heldBy.of(client(ip)) + bytes > share) throw tooBusy();
      if (held + bytes > bytesInFlight) throw tooBusy();
      held += bytes;
      heldBy.add(client(ip), bytes);
    },
    release(ip, bytes) {
      held -= bytes;
      heldBy.add(client(ip), -bytes);
    },
  };
}
