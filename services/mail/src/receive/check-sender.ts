import { Resolver } from 'node:dns/promises';
import { linkedSignal, within } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { type Checked, UNCHECKED } from '../domain/senders.ts';
import { type Answer, type Authenticating, keyOf, type Question } from './authenticate.ts';
import type { MailReader } from './mail-reader.ts';

/** Where a message came from. */
export interface Peer {
  /** IP address. */
  ip: string;
  /** The name by which the client greets. */
  helo: string;
  /** The address in MAIL FROM; may be empty. */
  envelopeFrom: string;
}

/**
 * Checks SPF, DKIM and DMARC. Never fails: what can't be found out in time is a temporary error.
 *
 * @param client as for a `MailReader`
 */
export type CheckSender = (raw: Buffer, peer: Peer, client?: string) => Promise<Checked>;

type LookUp = (name: string, type: string) => Promise<unknown>;

const TIMEOUT_MS = 10_000;
const LOOKUP_MS = 3_000;
const TRIES = 2;
const CACHED_ANSWERS = 5_000;
const CACHED_MS = 60_000;
/** The body is hashed for each; no honest message has more. */
const MAX_SIGNATURES = 10;
/** Rounds of questions to the DNS: answers lead to further ones, and SPF alone may include ten others. */
const MAX_ROUNDS = 20;

/** @param lookUp by default over DNS. */
export function createCheckSender(
  domain: string,
  reader: Pick<MailReader, 'authenticate'>,
  lookUp: LookUp = resolveByDns(),
): CheckSender {
  const ask = cached(lookUp);

  /** Asks the DNS for all that is needed, and repeats the checks with that. */
  async function checked(message: Omit<Authenticating, 'answers'>, client: string | undefined, signal: AbortSignal) {
    const answers = new Map<string, Answer>();
    const check = async (raw: Uint8Array) => {
      const found = await reader.authenticate({ ...message, raw, answers }, signal, client);
      await Promise.all(found.missing.map(async (question) => answers.set(keyOf(question), await ask(question))));
      return found;
    };
    // Nearly all of the questions follow from the headers, which are read in no time.
    const headers = headersOf(message.raw);
    for (let rounds = 0; rounds < MAX_ROUNDS && (await check(headers)).missing.length > 0; rounds++);
    const whole = await check(message.raw);
    return (whole.missing.length > 0 ? await check(message.raw) : whole).checked;
  }

  return async (raw, { ip, helo, envelopeFrom }, client) => {
    if (signaturesIn(raw) > MAX_SIGNATURES) return UNCHECKED;
    const message = { raw, ip, helo, mta: domain, ...(envelopeFrom !== '' && { sender: envelopeFrom }) };
    using time = linkedSignal([], TIMEOUT_MS);
    const checks = checked(message, client, time.signal);
    return (await within(TIMEOUT_MS, checks, 'The checks took too long.').catch(() => undefined)) ?? UNCHECKED;
  };
}

/** With the empty line after them. */
function headersOf(raw: Uint8Array): Uint8Array {
  const end = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf('\r\n\r\n');
  return end < 0 ? raw : raw.subarray(0, end + 4);
}

/** How many DKIM signatures a message claims to have. */
const signaturesIn = (raw: Buffer): number =>
  (
    Buffer.from(headersOf(raw))
      .toString('latin1')
      .match(/^dkim-signature\s*:/gim) ?? []
  ).length;

function resolveByDns(): LookUp {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: TRIES });
  return (name, type) => resolver.resolve(name, type as 'TXT');
}

/** Keeps answers, and that there was none. Never rejects. */
function cached(lookUp: LookUp): (question: Question) => Promise<Answer> {
  const answers = new LRUCache<string, Promise<Answer>>({ max: CACHED_ANSWERS, ttl: CACHED_MS });
  return (question) => {
    const key = keyOf(question);
    const answer =
      answers.get(key) ??
      lookUp(question.name, question.type).then(
        (records) => ({ records }),
        (error) => ({ code: (error as NodeJS.ErrnoException).code ?? 'ESERVFAIL' }),
      );
    answers.set(key, answer);
    return answer;
  };
}
