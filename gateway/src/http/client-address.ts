import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

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
    for (let hop = 0; hop < MAX_HOPS && client && isTrusted(trustedProxies, client); hop++) {
      const next = addressIn(forwarded.pop() ?? '');
      if (!next) break;
      client = next;
    }
    return networkOf(client ?? '');
  };

/** Whether the connection of a request comes from a trusted proxy. */
export function isFromProxy(trustedProxies: BlockList, { socket }: IncomingMessage): boolean {
  const address = addressIn(socket.remoteAddress ?? '');
  return address !== undefined && isTrusted(trustedProxies, address);
}

const isTrusted = (proxies: BlockList, address: string): boolean =>
  proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The IP address in an entry, which may have a port or a zone; undefined if there is none. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().toLowerCase();
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/, '');
  return isIP(address) ? address : undefined;
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return `${all.slice(0, 4).join(':')}::/64`;
}
