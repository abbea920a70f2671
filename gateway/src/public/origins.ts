/** Returns whether a page of this origin is among the domains: `host`, `host:port` or `*.host`; without a port, on the default one. */
export function isAllowed(origin: string, domains: readonly string[]): boolean {
  const page = pageOf(origin);
  return page !== undefined && domains.some((domain) => matches(page, domain));
}

/** Returns whether it is an origin as browsers write it, and not `null`. */
export const isOrigin = (origin: string): boolean => pageOf(origin) !== undefined;

/** Returns whether it is the origin of the host, as a `Host` header names it. The scheme may be one that only a proxy knows. */
export const isOf = (origin: string, host: string): boolean => pageOf(origin)?.host === host;

function pageOf(origin: string): URL | undefined {
  if (!/^https?:\/\//.test(origin)) return undefined;
  const url = URL.parse(origin);
  return url?.origin === origin ? url : undefined;
}

const DEFAULT_PORT: Record<string, string> = { 'http:': '80', 'https:': '443' };

function matches({ protocol, hostname, port }: URL, domain: string): boolean {
  if (domain.startsWith('*.')) return port === '' && hostname.endsWith(domain.slice(1));
  // An IPv6 address has colons of its own.
  const [, host, wanted] = /^(.*?)(?::(\d+))?$/.exec(domain)!;
  if (domain.endsWith(']')) return port === '' && hostname === domain;
  return hostname === host && (wanted ?? DEFAULT_PORT[protocol]) === (port || DEFAULT_PORT[protocol]);
}
