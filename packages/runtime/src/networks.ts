import { BlockList, isIP } from 'node:net';
import { ConfigError, type Env } from './env.ts';

/** Addresses and CIDRs, separated by commas. */
export function readNetworks(env: Env, name: 'TRUSTED_PROXIES' | 'MAIL_TRUSTED'): BlockList {
  const networks = new BlockList();
  for (const entry of env
    .get(name)
    ?.split(',')
    .map((part) => part.trim()) ?? []) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const longest = family === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
    if (!family || !isRange || rest.length > 0)
      throw new ConfigError(`${name} must be addresses or CIDRs, such as 10.0.0.0/8, separated by commas.`);
    networks.addSubnet(address, Number(bits ?? longest), family === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}

/** Returns whether an address is in one of the networks. */
export const isInNetworks = (networks: BlockList, address: string): boolean =>
  networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The IP address in an entry, which may have a port or a zone; undefined if there is none. */
export function addressIn(entry: string): string | undefined {
  const text = entry.trim().toLowerCase();
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/, '');
  return isIP(address) ? address : undefined;
}

/** An IPv4 address, or the /64 of an IPv6 address, since one client usually owns all of it. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return `${all.slice(0, 4).join(':')}::/64`;
}
