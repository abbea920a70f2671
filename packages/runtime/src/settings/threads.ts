import { integer, text } from './setting.ts';

/** How tickets and emails are answered, and mail comes in and goes out. */
export const THREADS = {
  AI_QUIET_SECONDS: integer(
    'how long a ticket or an email must be quiet before the AI answers: a burst of messages gets one answer',
    { fallback: 30, max: 86_400 },
  ),
  MAIL_DOMAIN: text(
    'the domain of email inboxes: mail to `<alias>@<domain>` is received, and replies are sent from it',
    {
      shown: '`parley.localhost`; of a process by itself none: no mail is sent',
    },
  ),
  MAIL_PORT: integer('the port on which mail is received', { fallback: 2525, shown: '2525', max: 65_535 }),
  MAIL_TLS_CERT: text(
    'the file of the certificate, in PEM, with which STARTTLS is offered; read again when it changes',
  ),
  MAIL_TLS_KEY: text('the file of its key'),
  MAIL_TRUSTED: text(
    'addresses and CIDRs of relays that have checked the senders of what they pass on, comma-separated: those count as authenticated, and no limit by address holds',
  ),
  MAIL_CONNECTIONS: integer(
    'connections at a time from which mail is received, of which one address may have a tenth',
    {
      fallback: 100,
      min: 10,
      max: 10_000,
    },
  ),
  MAIL_PER_MINUTE: integer('mails that one address (for IPv6, one /64) may send in a minute to one process', {
    fallback: 60,
    min: 1,
  }),
  MAIL_MAX_MIB: integer('the largest mail that is received, in MiB', { fallback: 25, min: 1, max: 100 }),
  MAIL_IN_FLIGHT_MIB: integer(
    'mails that one process receives at a time, in MiB, of which one address may have half; beyond that, 452: try again',
    {
      fallback: 128,
      min: 1,
      max: 65_536,
    },
  ),
  SMTP_URL: text(
    'the server that mail is sent through, as `smtp://user:password@host:587` or `smtps://host:465`; without it, mail is written to `MAIL_OUTBOX`',
  ),
  MAIL_OUTBOX: text('the directory that mail is written to, one `.eml` file each, instead of being sent', {
    shown: '`outbox` in `PARLEY_DATA`; of a process by itself none',
  }),
  MAIL_DKIM_KEY: text('the file of a private key, in PEM, that signs what is sent (DKIM)'),
  MAIL_DKIM_SELECTOR: text('the selector under which the domain publishes its public key', { fallback: 'parley' }),
};
