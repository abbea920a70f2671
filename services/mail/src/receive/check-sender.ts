import { Resolver } from 'node:dns/promises';
import { within } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { type AuthenticateResult, authenticate, type DNSResolver } from 'mailauth';
import { type Checked, UNCHECKED } from '../domain/senders.ts';

/** Where a message came from. */
export interface Peer {
  /** IP address. */
  ip: string;
  /** What it calls itself. */
  helo: string;
  /** The address in MAIL FROM; may be empty. */
  envelopeFrom: string;
}

/** Checks SPF, DKIM and DMARC. Never fails: what can't be found out in time is a temporary error. */
export type CheckSender = (raw: Buffer, peer: Peer) => Promise<Checked>;

const TIMEOUT_MS = 10_000;
const LOOKUP_MS = 3_000;
const TRIES = 2;
const CACHED_ANSWERS = 5_000;
const CACHED_MS = 60_000;
/** The body is hashed for each; no honest message has more. */
const MAX_SIGNATURES = 10;

/** @param lookUp by default over DNS. */
export function createCheckSender(domain: string, lookUp: DNSResolver = resolveByDns()): CheckSender {
  const resolver = cached(lookUp);
  return async (raw, { ip, helo, envelopeFrom }) => {
    if (signaturesIn(raw) > MAX_SIGNATURES) return UNCHECKED;
    const from = { ip, helo, ...(envelopeFrom !== '' && { sender: envelopeFrom }) };
    const checks = authenticate(raw, { ...from, mta: domain, resolver, disableArc: true, disableBimi: true });
    const result = await within(TIMEOUT_MS, checks, 'The checks took too long.').catch(() => undefined);
    return result ? checkedOf(result) : UNCHECKED;
  };
}

const checkedOf = ({ spf, dkim, dmarc }: AuthenticateResult): Checked => ({
  spf: spf
    ? { result: spf.status.result || 'none', domain: spf.domain || undefined }
    : { result: 'none', domain: undefined },
  dkim: (dkim.results ?? [])
    .filter(({ status }) => status.result !== 'none')
    .map(({ status }) => ({
      result: status.result,
      isAligned: Boolean(status.aligned),
      isWhole: !status.underSized && !status.testing,
    })),
  dmarc: dmarc ? dmarc.status.result : 'none',
  authors: dkim.headerFrom ?? [],
});

/** How many DKIM signatures a message claims to have. */
const signaturesIn = (raw: Buffer): number => {
  const end = raw.indexOf('\r\n\r\n');
  return (raw.toString('latin1', 0, end < 0 ? raw.length : end).match(/^dkim-signature\s*:/gim) ?? []).length;
};

function resolveByDns(): DNSResolver {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: TRIES });
  return (name, type) => resolver.resolve(name, type as 'TXT') as ReturnType<DNSResolver>;
}

/** Keeps answers, and that there was none. */
function cached(lookUp: DNSResolver): DNSResolver {
  const answers = new LRUCache<string, ReturnType<DNSResolver>>({ max: CACHED_ANSWERS, ttl: CACHED_MS });
  return (name, type) => {
    const key = `${type} ${name}`;
    const answer = answers.get(key) ?? lookUp(name, type);
    answers.set(key, answer);
    answer.catch(() => {}); // Each caller hears of it.
    return answer;
  };
}
