import { parseUrl } from '@parley/runtime/parse-url';

/** Parameters that campaigns add to an address without changing its page. */
const TRACKING =
  /^(utm_.*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|mc_[ce]id|yclid|twclid|ttclid|li_fat_id|igshid|_gl|_ga|_hsenc|_hsmi|mkt_tok|vero_id)$/i;
/** Parameters that name a visit, not a page. */
const SESSION = /^(phpsessid|jsessionid|aspsessionid.*|asp\.net_sessionid|cfid|cftoken|session_?id|sess_?id)$/i;
/** Java's servers write it into the path. */
const SESSION_IN_PATH = /;jsessionid=[^/;]*/gi;

/** Files without text. Others that turn out not to be text are recognised by their content type. */
const NOT_TEXT =
  /\.(7z|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|mp[34]|msi|odt|og[gv]|otf|png|pptx?|rar|rpm|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xml|xz|zip|zst)$/i;

/** In characters. Longer addresses are dropped before anything else examines them. */
export const MAX_ADDRESS = 2_048;

/**
 * The canonical form of an address: no fragment, no default port, no tracking, no session, a sorted query. A directory and
 * its index page stay two addresses: only the site knows that they are one.
 */
export function canonical(url: URL): URL {
  const one = new URL(url.href);
  one.hash = '';
  one.pathname = one.pathname.replace(SESSION_IN_PATH, '');
  const kept = [...one.searchParams].filter(([name]) => !TRACKING.test(name) && !SESSION.test(name));
  const sorted = new URLSearchParams(kept);
  sorted.sort();
  one.search = sorted.toString();
  return one;
}

/** Names a page within its site: the path and the normalised query. */
export function pageUrlOf(url: URL): string {
  const { pathname, search } = canonical(url);
  return pathname + search;
}

/**
 * The `page_url` of an absolute address; undefined for other sites, for files without text and for overlong addresses.
 */
export function pageOfSite(address: string, origin: string): string | undefined {
  if (address.length > MAX_ADDRESS) return undefined;
  const url = parseUrl(address);
  if (url?.origin !== origin || url.username || url.password || NOT_TEXT.test(url.pathname)) return undefined;
  const pageUrl = pageUrlOf(url);
  return origin.length + pageUrl.length <= MAX_ADDRESS ? pageUrl : undefined;
}

/** Returns whether the address has the suffix of a PDF. Without it, only the content type tells. */
export const isPdfAddress = (pageUrl: string): boolean => /^[^?]*\.pdf(\?|$)/i.test(pageUrl);

/**
 * Returns the common part of addresses that servers often answer with the same page: the path without its last slash, the name of
 * an index file, and the query.
 */
export const withoutVariation = (pageUrl: string): string =>
  pageUrl
    .replace(/\?.*$/s, '')
    .replace(/(?<=\/)(index|default)\.[a-z]{3,5}$/i, '')
    .replace(/\/$/, '');
