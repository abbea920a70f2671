import { integer, text } from './setting.ts';

/** How events are delivered to webhooks. */
export const WEBHOOKS = {
  OUTBOUND_ALLOW: text('private addresses that webhooks may be sent to, written like those of `CRAWL_ALLOW`', {
    shown: 'those of `CRAWL_ALLOW`',
  }),
  WEBHOOK_TIMEOUT_SECONDS: integer('how long the receiver of a webhook may take to answer', {
    fallback: 10,
    min: 1,
    max: 30,
  }),
  WEBHOOK_CONCURRENCY: integer(
    'requests to one webhook at a time, of different resources: those of one resource follow each other',
    { fallback: 4, min: 1, max: 64 },
  ),
  WEBHOOK_ENDPOINTS: integer(
    'webhooks that one process delivers to at a time; no account can occupy more than half. One that hangs occupies its place for the time that a receiver may take, and then waits',
    { fallback: 200, min: 1, max: 10_000 },
  ),
};
