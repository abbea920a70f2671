/** Signs that a program has sent a message. */
export interface Origin {
  /** The address in MAIL FROM; empty for the null sender, which bounces and many notices have. */
  envelopeFrom: string;
  /** The author's address. */
  from: string;
  /** Without angle brackets. */
  messageId: string | undefined;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** That of our own mail. */
  domain: string;
}

/** Headers that only programs write. */
const PROGRAMS = [
  'list-id',
  'list-unsubscribe',
  'list-post',
  'list-help',
  'x-autoreply',
  'x-autorespond',
  'x-failed-recipients',
];

/**
 * Returns whether a message must not cause another one (RFC 3834): a reply of a program, a mailing list, a bounce, or our own mail that
 * came back.
 */
export function isAutomatic({ envelopeFrom, from, messageId, headers, domain }: Origin): boolean {
  const is = (name: string, value: RegExp) => value.test(headers[name] ?? '');
  return (
    envelopeFrom === '' ||
    is('auto-submitted', /^\s*(?!no\b)\S/i) ||
    is('precedence', /^\s*(bulk|junk|list|auto_reply)\b/i) ||
    is('x-auto-response-suppress', /^\s*(?!none\b)\S/i) ||
    is('content-type', /^\s*multipart\/report\b/i) ||
    PROGRAMS.some((name) => name in headers) ||
    /^mailer-daemon@/i.test(from) ||
    isOurs(from, domain) ||
    (messageId !== undefined && isOurs(messageId, domain))
  );
}

const isOurs = (address: string, domain: string): boolean => address.toLowerCase().endsWith(`@${domain}`);

/** The mail that a message is a report about; undefined if it is none: somebody is away, or has read it. */
export function reportedMail({ envelopeFrom, report, copied, domain }: Report): string | undefined {
  const own = copied
    .find((id) => isOurs(id, domain))
    ?.replace(/@.*$/, '')
    .toLowerCase();
  return envelopeFrom === '' && (report || own) ? (own ?? '') : undefined;
}

/** A message that may say what became of a mail that was sent. */
interface Report extends Pick<Origin, 'envelopeFrom' | 'domain'> {
  /** The fields of its `message/delivery-status`; undefined if it has none, as in the oldest dialect. */
  report: { failed: boolean } | undefined;
  /** Message-IDs of the copies of messages in it. */
  copied: readonly string[];
}
