import { integer, text } from './setting.ts';

/** The headers that report a limit have numbers of at most 15 digits. */
const PER_MINUTE = { max: 1_000_000_000 };
const MIB = { min: 1, max: 65_536 };

/** Limits on requests and replies. */
export const REQUESTS = {
  RATE_LIMIT_PER_MINUTE: integer('requests per API key; 0 means no limit', { fallback: 30_000, ...PER_MINUTE }),
  ACCOUNT_RATE_LIMIT_PER_MINUTE: integer('requests of all API keys of an account together; 0 means no limit', {
    shown: 'five times `RATE_LIMIT_PER_MINUTE`',
    ...PER_MINUTE,
  }),
  BODIES_MAX_MIB: integer(
    'request bodies in flight, in MiB; beyond that, 503. The keys of one account together may have half',
    { fallback: 64, ...MIB },
  ),
  BODIES_MAX_MIB_PER_KEY: integer('the same for one API key; beyond that, 429', { fallback: 16, ...MIB }),
  BODY_TIMEOUT_SECONDS: integer(
    'how long a client may take to send a request, and how long it may pause in an upload or in reading an answer; then it is cut off. The request line and the headers may take 15 seconds and have 16 KiB, and a connection may idle for 65 seconds',
    { fallback: 30, min: 1, max: 600 },
  ),
  UPLOADS_AT_ONCE: integer(
    'uploads of documents in progress, of which one account may have half, and likewise of filled-in forms with files, of which one address may have a quarter; beyond that, 503 (429 for an account or an address). Each takes up to 25 MB of memory',
    { fallback: 8, min: 1, max: 1_000 },
  ),
  // The object store has 64 connections, which uploads need, too.
  EVENT_STREAMS_AT_ONCE: integer(
    'streams of events (`GET /events`) in progress, of which one account may have half; beyond that, 503 (429 for an account)',
    { fallback: 200, min: 1, max: 10_000 },
  ),
  DOWNLOADS_AT_ONCE: integer(
    'downloads of files in progress, of which one account may have half; beyond that, 503 (429 for an account)',
    { fallback: 32, min: 1, max: 1_000 },
  ),
  DOWNLOAD_TIMEOUT_SECONDS: integer('how long a download may take; then it breaks off', {
    fallback: 600,
    min: 1,
    max: 3_600,
  }),
  UPLOAD_TIMEOUT_SECONDS: integer('how long an upload may take; beyond that, 408', {
    fallback: 600,
    min: 1,
    max: 900,
  }),
  AUTH_FAILURES_PER_MINUTE: integer(
    'failed authentications from one address (for IPv6, one /64) before it gets 429; 0 means no limit',
    { fallback: 120 },
  ),
  TRUSTED_PROXIES: text(
    'addresses and CIDRs of proxies whose `X-Forwarded-For`, `-Host` and `-Proto` are trusted, comma-separated',
  ),
  // A reply mostly waits, and holds a question and its passages in memory: about 100 KiB.
  REPLIES_AT_ONCE: integer(
    'replies in progress in one process, including waiting questions; beyond that, 503 with `Retry-After`. The assistants of one account together may have half',
    { fallback: 200, min: 1 },
  ),
  REPLIES_AT_ONCE_PER_ASSISTANT: integer('the same for one assistant', { fallback: 50, min: 1 }),
};
