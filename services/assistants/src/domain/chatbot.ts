import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

const MAX_TITLE = 200;
const MAX_DOMAINS = 100;
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`);

/** Returns a title as sent. @throws AppError `invalid_argument` if it is blank or has more than 200 code points. */
export const checkTitle = (title: string): string => requiredText('title', title, MAX_TITLE);

/**
 * The hosts whose pages may show a chatbot, normalised as browsers do, without duplicates: `host[:port]` or `*.host`.
 *
 * @throws AppError `invalid_argument` that quotes an entry in neither form.
 */
export function checkDomains(domains: readonly string[]): string[] {
  if (domains.length > MAX_DOMAINS) throw invalidArgument(`allowed_domains must have at most ${MAX_DOMAINS} entries.`);
  return [...new Set(domains.map(normalDomain))];
}

function normalDomain(entry: string): string {
  const [, wildcard = '', host = '', port = ''] =
    /^(\*\.)?(\[[^\]]*\]|[^:\s/?#@\\]*)(:\d{1,5})?$/.exec(entry.trim()) ?? [];
  const normal = host.startsWith('[') ? ipv6(host) : domainToASCII(host);
  const portIsGood = port === '' || (wildcard === '' && Number(port.slice(1)) >= 1 && Number(port.slice(1)) <= 65_535);
  if (portIsGood && (hostName.test(normal) || (wildcard === '' && normal.startsWith('['))))
    return wildcard + normal + port;
  const quoted = JSON.stringify(entry.slice(0, 100));
  throw invalidArgument(`allowed_domains takes host[:port] or *.host, without scheme or path; ${quoted} is neither.`);
}

/** Shortened as browsers do; empty if it is not an IPv6 address. */
const ipv6 = (host: string): string => (isIPv6(host.slice(1, -1)) ? new URL(`http://${host}`).hostname : '');
