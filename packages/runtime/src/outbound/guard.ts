import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isUuid } from '../ids.ts';
import { parseUrl } from '../parse-url.ts';
import { type Address, type Cidr, isWithin, parseCidr } from './cidr.ts';
import { type DenyList, isDenied, parseDenyList } from './deny-list.ts';

/** Private addresses that may be reached nevertheless, and what may never be reached. */
export interface AllowList {
  readonly ranges: readonly Cidr[];
  readonly pairs: ReadonlySet<string>;
  readonly deny: DenyList;
  /** For accounts that may reach more: all that they may. */
  readonly accounts: ReadonlyMap<string, AllowList>;
}

/**
 * Parses CRAWL_ALLOW: CIDRs (`10.0.0.0/8`, `fd00::/8`) and host:port pairs (`wiki.internal:8080`, `[::1]:80`),
 * separated by commas. A pair also allows what its name resolves to. An entry that ends with `@` and the id of an account is for
 * that account alone. Throws an Error that names the setting and an invalid entry.
 */
export function parseAllowList(text: string, deny = parseDenyList(''), setting = 'CRAWL_ALLOW'): AllowList {
  const entries = text.split(',').flatMap((part) => (part.trim() ? [parseEntry(part.trim(), setting)] : []));
  const listOf = (account?: string): Omit<AllowList, 'accounts'> => {
    const own = entries.filter((entry) => entry.account === undefined || entry.account === account);
    const pairs = new Set(own.flatMap(({ pair }) => pair ?? []));
    return { ranges: own.flatMap(({ range }) => (range ? [range] : [])), pairs, deny };
  };
  const accounts = new Map(
    entries.flatMap(({ account }) => (account ? [[account, { ...listOf(account), accounts: new Map() }]] : [])),
  );
  return { ...listOf(), accounts };
}

/** Returns what this account may reach. */
export const allowFor = (allow: AllowList, account: string): AllowList => allow.accounts.get(account) ?? allow;

interface Entry {
  range?: Cidr | undefined;
  pair?: string | undefined;
  account?: string | undefined;
}

function parseEntry(entry: string, setting: string): Entry {
  const [what = '', account, ...rest] = entry.split('@');
  const range = parseCidr(what);
  const pair = range ? undefined : parsePair(what);
  if ((!range && !pair) || rest.length > 0 || (account !== undefined && !isUuid(account.toLowerCase())))
    throw new Error(
      `${setting} has "${entry}", which is neither a CIDR (10.0.0.0/8) nor host:port (wiki:8080), alone or with @ and the id of an account.`,
    );
  return { range, pair, account: account?.toLowerCase() };
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

/** Returns whether a connection to `address` may be opened, for a URL that names `host` and `port`. */
export function mayConnect(address: string, host: string, port: number, allow: AllowList): boolean {
  if (!isIP(address)) return false;
  if (isDenied(address, port, allow.deny)) return false;
  const parsed = ipaddr.parse(address);
  if (isPublic(parsed)) return true;
  if (allow.pairs.has(pairOf(host, port)) || allow.pairs.has(pairOf(address, port))) return true;
  return isWithin(parsed, allow.ranges);
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
  return refusalOf(address, isDenied(address, portOf(url), allow.deny));
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
export function refusalOf(host: string, isDenied = false): string {
  if (isDenied)
    return `${host} may not be read: OUTBOUND_DENY lists its address or port, or it belongs to a cloud platform.`;
  return `${host} is a private address; CRAWL_ALLOW lists the private addresses that may be read.`;
}
