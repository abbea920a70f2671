import { normalAddress } from '@parley/runtime';
import { getDomain } from 'tldts';

/** The results of checking a sender, in the words of RFC 8601. */
export interface Checked {
  spf: { result: string; domain: string | undefined };
  dkim: readonly { result: string; isAligned: boolean; isWhole: boolean }[];
  /** `none` if the author's domain has no policy. */
  dmarc: string;
  /** The addresses of the authors, as the checks have read them. */
  authors: readonly string[];
}

/** Nothing was found out. */
export const UNCHECKED: Checked = {
  spf: { result: 'temperror', domain: undefined },
  dkim: [],
  dmarc: 'temperror',
  authors: [],
};

/**
 * Returns whether the author's own domain vouches for a message: by a signature of the whole message, or by the server that it came from.
 * A pass of any other domain says nothing, and neither does one for several authors.
 */
export function isAuthenticated({ spf, dkim, dmarc, authors }: Checked, from: string): boolean {
  const [author, ...others] = authors;
  if (author === undefined || others.length > 0 || normalAddress(author) !== normalAddress(from)) return false;
  if (dmarc === 'fail') return false;
  if (dkim.some(({ result, isAligned, isWhole }) => result === 'pass' && isAligned && isWhole)) return true;
  return spf.result === 'pass' && organization(spf.domain) === organization(from.slice(from.lastIndexOf('@') + 1));
}

/** Owners of names below some public suffixes share nothing. */
const organization = (domain: string | undefined): string | null | undefined =>
  domain && (getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase());

/** One word for all signatures. */
export const dkimVerdict = (dkim: Checked['dkim']): string =>
  dkim.find(({ result }) => result === 'pass')?.result ?? dkim[0]?.result ?? 'none';
