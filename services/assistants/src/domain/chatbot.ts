import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalidArgument } from '@parley/runtime';

const MAX_TITLE = 200;
const MAX_DOMAINS = 100;
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`);

/** As sent. @throws AppError `invalid_argument` where it is blank or over 200 code points. */
export function checkTitle(title: string): string {
  if (title.trim() === '') throw invalidArgument('title must not be blank.');
  if ([...title].length > MAX_TITLE) throw invalidArgument(`title has at most ${MAX_TITLE} characters.`);
  return title;
}

/**
 * The hosts whose pages may show a chatbot, as browsers write them, each once: `host[:port]` or `*.host`.
 *
 * @throws AppError `invalid_argument` that quotes the entry which is neither.
 */
export function checkDomains(domains: readonly string[]): string[] {
  if (domains.length > MAX_DOMAINS) throw invalidArgument(`allowed_domains has at most ${MAX_DOMAINS} entries.`);
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
  throw invalidArgument(`allowed_domains has host[:port] or *.host, without scheme or path; ${quoted} is neither.`);
}

/** As browsers shorten it; empty where it is none. */
const ipv6 = (host: string): string => (isIPv6(host.slice(1, -1)) ? new URL(`http://${host}`).hostname : '');
