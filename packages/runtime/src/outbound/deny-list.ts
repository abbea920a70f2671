import ipaddr from 'ipaddr.js';
import { type Address, type Cidr, isWithin, parseCidr } from './cidr.ts';

/** Addresses and ports that are never reached, even if CRAWL_ALLOW lists them. */
export interface DenyList {
  readonly ranges: readonly Cidr[];
  readonly ports: ReadonlySet<number>;
}

/**
 * Where clouds hand out credentials and configuration to whoever asks from inside, whatever class the address is of: 168.63.129.16
 * is public by its number, and a private range in CRAWL_ALLOW may hold the others.
 */
const CLOUD_PLATFORMS = [
  '169.254.169.254/32', // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack
  '169.254.170.2/32', // AWS ECS
  '169.254.170.23/32', // AWS EKS
  'fd00:ec2::254/128', // AWS
  'fd00:ec2::23/128', // AWS EKS
  'fd20:ce::254/128', // Google
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  '169.254.42.42/32', // Scaleway
  'fd00:42::42/128', // Scaleway
  '169.254.0.23/32', // Tencent
  'fe80::a9fe:a9fe/128', // OpenStack
].map((cidr) => parseCidr(cidr)!);

/** Parses OUTBOUND_DENY: CIDRs and ports, separated by commas. Throws an Error that names an invalid entry. */
export function parseDenyList(text: string): DenyList {
  const ranges = [...CLOUD_PLATFORMS];
  const ports = new Set<number>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!entry) continue;
    const range = parseCidr(entry);
    if (range) ranges.push(range);
    else if (isPort(entry)) ports.add(Number(entry));
    else throw new Error(`OUTBOUND_DENY has "${entry}", which is neither a CIDR (203.0.113.0/24) nor a port (25).`);
  }
  return { ranges, ports };
}

const isPort = (entry: string): boolean => /^\d{1,5}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 65_535;

/** Returns whether a connection is denied. An IPv6 address that leads to an IPv4 one counts as both. */
export function isDenied(address: string, port: number, { ranges, ports }: DenyList): boolean {
  if (ports.has(port)) return true;
  const parsed = ipaddr.process(address);
  const reached = translated(parsed);
  return isWithin(parsed, ranges) || (reached !== undefined && isWithin(reached, ranges));
}

/** IPv6 networks whose addresses are translated to IPv4 ones, and where those stand in them, in bytes. */
const TRANSLATED = [
  ['64:ff9b::/96', 12], // NAT64
  ['64:ff9b:1::/48', 12], // NAT64
  ['::/96', 12],
  ['2002::/16', 2], // 6to4
].map(([cidr, at]) => [parseCidr(cidr as string)!, at as number] as const);

function translated(address: Address): Address | undefined {
  const [, at] = TRANSLATED.find(([network]) => isWithin(address, [network])) ?? [];
  return at === undefined ? undefined : ipaddr.fromByteArray(address.toByteArray().slice(at, at + 4));
}
