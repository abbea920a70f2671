import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { addressIn, isInNetworks, networkOf } from '@parley/runtime';

const MAX_HOPS = 20;

/**
 * Identifies the client of a request: an IPv4 address, or the /64 of an IPv6 address, since one client usually owns all of
 * it. Only trusted proxies are believed: the client is the right-most address of `X-Forwarded-For` that is not one of them.
 */
export const clientAddress =
  (trustedProxies: BlockList) =>
  ({ socket, headers }: IncomingMessage): string => {
    let client = addressIn(socket.remoteAddress ?? '');
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; hop < MAX_HOPS && client && isInNetworks(trustedProxies, client); hop++) {
      const next = addressIn(forwarded.pop() ?? '');
      if (!next) break;
      client = next;
    }
    return networkOf(client ?? '');
  };

/** Returns whether the connection of a request comes from a trusted proxy. */
export function isFromProxy(trustedProxies: BlockList, { socket }: IncomingMessage): boolean {
  const address = addressIn(socket.remoteAddress ?? '');
  return address !== undefined && isInNetworks(trustedProxies, address);
}
