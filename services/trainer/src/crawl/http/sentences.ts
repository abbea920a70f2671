import { STATUS_CODES } from 'node:http';
import type { OutboundError, OutboundFailure } from '@parley/runtime/outbound';
import { LateAnswer, LoadError, PassingFailure } from './load-error.ts';

export function seconds(milliseconds: number): string {
  const count = Math.round(milliseconds / 100) / 10;
  return `${count} second${count === 1 ? '' : 's'}`;
}

export function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${Math.round(bytes / 100_000) / 10} MB`;
}

/** "The page answered 404 Not Found." */
export function statusSentence(status: number): string {
  return `The page answered ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}.`;
}

/** Describes a failure of the outbound client in a sentence, and keeps the cause. */
export function loadErrorOf(error: OutboundError): LoadError {
  const kind = kindOf(error.failure);
  return new kind(sentenceOf(error.failure), { cause: error });
}

function kindOf(failure: OutboundFailure): typeof LoadError {
  if (failure.kind === 'timeout') return LateAnswer;
  return failure.kind === 'network' && !DAMAGED.test(failure.code) ? PassingFailure : LoadError;
}

/** Returns whether a page that answers so may answer otherwise later: the server is overloaded, out of order or being updated. */
export const isPassing = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429;

/** Codes of zlib and brotli. */
const DAMAGED = /^Z_|BROTLI/i;

export function sentenceOf(failure: OutboundFailure): string {
  switch (failure.kind) {
    case 'not_an_address':
      return `"${failure.text}" is not an address.`;
    case 'refused':
      return failure.sentence;
    case 'address_too_long':
      return `An address of more than ${failure.maxLength} characters is not read.`;
    case 'bad_redirect':
      return 'The page redirects to something that is not an address.';
    case 'too_many_redirects':
      return `The page redirects more than ${failure.max} times.`;
    case 'too_large':
      return `The page is larger than ${size(failure.maxBytes)}.`;
    case 'unknown_coding':
      return `The page is compressed in a way that can't be read (${failure.coding}).`;
    case 'timeout':
      return `The page took longer than ${seconds(failure.timeoutMs)} to answer.`;
    case 'network':
      return NETWORK[failure.code]?.(failure.host) ?? sentenceOfFamily(failure.code, failure.host);
  }
}

const NETWORK: Record<string, (host: string) => string> = {
  not_http: (host) => `${host} answered with something that is not HTTP.`,
  ENOTFOUND: (host) => `There is no site named ${host}.`,
  EAI_AGAIN: (host) => `The name ${host} can't be looked up at the moment.`,
  ECONNREFUSED: (host) => `${host} refused the connection.`,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: unanswered,
  EHOSTUNREACH: unanswered,
  ENETUNREACH: unanswered,
  UND_ERR_CONNECT_TIMEOUT: unanswered,
  UND_ERR_HEADERS_OVERFLOW: (host) => `${host} answered with headers that are too large.`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
};

function closed(host: string): string {
  return `${host} closed the connection before the page was complete.`;
}

function unanswered(host: string): string {
  return `${host} can't be reached: it does not accept a connection.`;
}

function sentenceOfFamily(code: string, host: string): string {
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return `The certificate of ${host} is not trusted (${code}).`;
  if (DAMAGED.test(code)) return 'The page is damaged: it is not compressed as it says.';
  return `${host} could not be read${code && ` (${code})`}.`;
}
