import { authenticate, type DNSResolver } from 'mailauth';
import type { Checked } from '../domain/senders.ts';

/** A question to the DNS. */
export interface Question {
  name: string;
  type: string;
}

/** The records, or the code of the error. */
export type Answer = { records: unknown } | { code: string };

export const keyOf = ({ name, type }: Question): string => `${type} ${name}`;

/** A message, where it came from, and what the DNS has said so far. */
export interface Authenticating {
  raw: Uint8Array;
  ip: string;
  helo: string;
  /** Absent if it is empty. */
  sender?: string;
  mta: string;
  /** By `keyOf`. */
  answers: ReadonlyMap<string, Answer>;
}

/** The result as far as `answers` go, with the questions that are still to be asked. */
export interface Authenticated {
  checked: Checked;
  missing: Question[];
}

/**
 * Checks SPF, DKIM and DMARC. Runs in a reader process: a signature may ask for the hash of 25 MB in a form that takes seconds, ten
 * times over. There is no network there, so somebody else has to ask the DNS.
 */
export async function authenticateMail({ raw, answers, ...from }: Authenticating): Promise<Authenticated> {
  const missing: Question[] = [];
  const resolver = (async (name: string, type: string) => {
    const answer = answers.get(keyOf({ name, type }));
    if (answer && 'records' in answer) return answer.records;
    if (!answer) missing.push({ name, type });
    throw Object.assign(new Error('The DNS has no answer.'), { code: answer?.code ?? 'ETIMEOUT' });
  }) as DNSResolver;
  const { spf, dkim, dmarc } = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...from,
    resolver,
    disableArc: true,
    disableBimi: true,
  });
  const checked: Checked = {
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
  };
  return { checked, missing };
}
