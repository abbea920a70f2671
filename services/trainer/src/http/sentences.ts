import { STATUS_CODES } from 'node:http';
import { LoadError } from './load-error.ts';

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

const SENTENCES: Record<string, (host: string) => string> = {
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

/** Puts a failure of the network, of TLS, of HTTP or of the compression into a sentence; the cause is kept. */
export function loadErrorOf(error: unknown, host: string): LoadError {
  if (error instanceof LoadError) return error;
  const { code = '', name } = error as { code?: string; name?: string };
  if (name === 'HTTPParserError')
    return new LoadError(`${host} answered with something that is not HTTP.`, { cause: error });
  return new LoadError(SENTENCES[code]?.(host) ?? sentenceOfFamily(code, host), { cause: error });
}

function sentenceOfFamily(code: string, host: string): string {
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return `The certificate of ${host} is not trusted (${code}).`;
  if (/^Z_|BROTLI/i.test(code)) return 'The page is damaged: it is not compressed as it says.';
  return `${host} could not be read${code && ` (${code})`}.`;
}
