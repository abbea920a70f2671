import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ReturnType<typeof ipaddr.parse>;
export type Cidr = readonly [network: Address, bits: number];

/** Parses `10.0.0.0/8` or `fd00::/8`; undefined for anything else. */
export function parseCidr(entry: string): Cidr | undefined {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (!longest || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) return undefined;
  return [ipaddr.parse(address), Number(bits)];
}

export const isWithin = (address: Address, cidrs: readonly Cidr[]): boolean =>
  cidrs.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
