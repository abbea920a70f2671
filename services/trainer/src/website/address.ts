import { parseUrl } from '@parley/runtime/parse-url';

/** Parameters that campaigns add to an address without changing its page. */
const TRACKING = /^(utm_.*|fbclid|gclid|gbraid|wbraid|msclkid|mc_eid)$/i;

/** Files without text. Others that turn out not to be text are recognised by their content type. */
const NOT_TEXT =
  /\.(7z|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|mp[34]|msi|odt|og[gv]|otf|pdf|png|pptx?|rar|rpm|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xml|xz|zip|zst)$/i;

/** In characters. Longer addresses are dropped before anything else examines them. */
export const MAX_ADDRESS = 2_048;

/**
 * The canonical form of an address: no fragment, no default port, no tracking, a sorted query. A directory and its
 * index page stay two addresses: only the site knows that they are one.
 */
export function canonical(url: URL): URL {
  const one = new URL(url.href);
  one.hash = '';
  const kept = [...one.searchParams].filter(([name]) => !TRACKING.test(name));
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
