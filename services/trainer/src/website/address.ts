import { parseUrl } from '@parley/runtime/parse-url';

/** What campaigns add to an address without changing its page. */
const TRACKING = /^(utm_.*|fbclid|gclid|gbraid|wbraid|msclkid|mc_eid)$/i;

/** Files no text comes from; whatever else turns out not to be text is seen by its content type. */
const NOT_TEXT =
  /\.(7z|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|mp[34]|msi|odt|og[gv]|otf|pdf|png|pptx?|rar|rpm|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xml|xz|zip|zst)$/i;

const LONGEST = 2000;

/**
 * The one spelling of an address: no fragment, no default port, no tracking, the query sorted. A directory and its
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

/** The `page_url` of an absolute address; nothing for other sites and for files without text. */
export function pageOfSite(address: string, origin: string): string | undefined {
  if (!parseUrl(address)) return undefined;
  const url = new URL(address);
  if (url.origin !== origin || url.username || url.password || NOT_TEXT.test(url.pathname)) return undefined;
  const pageUrl = pageUrlOf(url);
  return pageUrl.length <= LONGEST ? pageUrl : undefined;
}
