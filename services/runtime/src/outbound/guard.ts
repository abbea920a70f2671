import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../parse-url.ts';

type Address = ReturnType<typeof ipaddr.parse>;

/** Private addresses that may be reached nevertheless. */
export interface AllowList {
  readonly ranges: readonly (readonly [network: Address, bits: number])[];
  readonly pairs: ReadonlySet<string>;
}

/**
 * Parses CRAWL_ALLOW: CIDRs (`10.0.0.0/8`, `fd00::/8`) and host:port pairs (`wiki.internal:8080`, `[::1]:80`),
 * separated by commas. A pair also allows what its name resolves to. Throws an Error that names an invalid entry.
 */
export function parseAllowList(text: string): AllowList {
  const ranges: [Address, number][] = [];
  const pairs = new Set<string>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!entry) continue;
    const range = parseRange(entry);
    const pair = range ? undefined : parsePair(entry);
    if (range) ranges.push(range);
    else if (pair) pairs.add(pair);
    else throw new Error(`CRAWL_ALLOW has "${entry}", which is neither a CIDR (10.0.0.0/8) nor host:port (wiki:8080).`);
  }
  return { ranges, pairs };
}

function parseRange(entry: string): [Address, number] | undefined {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (!longest || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) return undefined;
  return [ipaddr.parse(address), Number(bits)];
}

function parsePair(entry: string): string | undefined {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+):(\d{1,5})$/i.exec(entry) ?? [];
  if (!host || Number(port) < 1 || Number(port) > 65_535 || !parseUrl(`http://${host}`)) return undefined;
  return pairOf(new URL(`http://${host}`).hostname, Number(port));
}

function pairOf(host: string, port: number): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return `${isIP(bare) ? ipaddr.parse(bare).toString() : bare}:${port}`;
}

/** Whether a connection to `address` may be opened, for a URL that names `host` and `port`. */
export function mayConnect(address: string, host: string, port: number, allow: AllowList): boolean {
  if (!isIP(address)) return false;
  const parsed = ipaddr.parse(address);
  if (isPublic(parsed)) return true;
  if (allow.pairs.has(pairOf(host, port)) || allow.pairs.has(pairOf(address, port))) return true;
  return allow.ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/** IPv6 outside 2000::/3 is not assigned to the public internet. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.toByteArray()[0]! >> 5 === 0b001;
}

/** Why the IP literal in this URL may not be read; undefined for a public or allowed one, and for names. */
export function vetLiteral(url: URL, allow: AllowList): string | undefined {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (!isIP(address) || mayConnect(address, address, portOf(url), allow)) return undefined;
  return refusalOf(address);
}

/** Why this URL may not be read, as far as that is known without looking up its name. */
export function vetUrl(url: URL, allow: AllowList): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `Only http and https addresses can be read, not ${url.protocol}.`;
  }
  if (url.username || url.password) return 'An address with a user name or a password in it is not read.';
  return vetLiteral(url, allow);
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

/** Omits what a name resolves to, which would reveal the internal network to a stranger. */
export function refusalOf(host: string): string {
  return `${host} is a private address; CRAWL_ALLOW lists the private addresses that may be read.`;
}
