import { addressIn, createTally, isInNetworks, networkOf } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { ReceivingLimits } from '../config.ts';
import { tooBusy, tooMany } from './refusal.ts';

const MINUTE_MS = 60_000;
/** Addresses whose mails are counted; more than that in a minute are forgotten early. */
const MAX_ADDRESSES = 10_000;
/** One address may have this share of the connections. */
const SHARE = 0.1;

/**
 * What clients may use of this process. The limits by address are for each process: with several behind one address, a client may
 * have as many times as much.
 */
export interface Limits {
  isTrusted(ip: string): boolean;
  /** @throws Refusal if the address has enough connections. */
  connect(ip: string): void;
  disconnect(ip: string): void;
  /** Counts a mail. @throws Refusal if the address has sent enough in this minute. */
  begin(ip: string): void;
  /** Counts bytes that are held. @throws Refusal if there is no room for them. */
  hold(bytes: number): void;
  release(bytes: number): void;
}

export function createLimits({ trusted, connections, perMinute, bytesInFlight }: ReceivingLimits): Limits {
  const connected = createTally();
  const begun = new LRUCache<string, { mails: number }>({ max: MAX_ADDRESSES, ttl: MINUTE_MS });
  const most = Math.max(1, Math.floor(connections * SHARE));
  let held = 0;
  const isTrusted = (ip: string) => {
    const address = addressIn(ip);
    return address !== undefined && isInNetworks(trusted, address);
  };
  const client = (ip: string) => networkOf(addressIn(ip) ?? ip);
  return {
    isTrusted,
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
    hold(bytes) {
      if (held + bytes > bytesInFlight) throw tooBusy();
      held += bytes;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}
