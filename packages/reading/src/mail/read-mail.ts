import PostalMime, { type Address, type Attachment, addressParser, decodeWords, type Email } from 'postal-mime';
import { byteOf } from '../text/charset.ts';
import { cutQuotes } from './cut-quotes.ts';
import { htmlText } from './html-text.ts';
import { messageIdsIn, type Report, readReport } from './report.ts';

const MAX_DEPTH = 30;
const MAX_HEADER_BYTES = 256 * 1024;
const MAX_ATTACHMENTS = 100;
const MAX_REFERENCES = 50;
/** Characters of a text that are read: what is not stored of them is in the raw message. */
const MAX_TEXT = 200_000;
const MAX_NAME = 200;
const MAX_FILE_NAME = 255;
/** Characters of a copy of a message in which its id is looked for. */
const MAX_COPY = 65_536;
const MAX_MESSAGE_ID = 998;
const MAX_VALUE = 1_000;

export interface MailToRead {
  raw: Uint8Array;
  /** True to look for quotes and signatures. A text can be made on which that takes long. */
  cut: boolean;
}

export interface ReadMail {
  /** The first author; undefined if there is none. */
  from: { address: string; name: string } | undefined;
  subject: string;
  date: string;
  /** Without angle brackets; undefined if there is none. */
  messageId: string | undefined;
  /** The Message-IDs that this one replies to, the closest first. */
  references: string[];
  /** The sender's own text. */
  text: string;
  /** Quotes of earlier messages, and the signature. */
  quoted: string;
  attachments: ReadAttachment[];
  /** The values of headers that say whether a program has sent it, by name in lower case. */
  headers: Record<string, string>;
  /** If it is a report about a mail that was sent. */
  report: Report | undefined;
  /** Message-IDs of the copies or headers of messages in it. */
  copied: string[];
}

export interface ReadAttachment {
  name: string;
  type: string;
  isInline: boolean;
  content: Uint8Array;
}

/** Headers by which programs are known. */
const TELLING = [
  ...[
    'auto-submitted',
    'precedence',
    'x-auto-response-suppress',
    'x-autoreply',
    'x-autorespond',
    'x-failed-recipients',
  ],
  ...['list-id', 'list-unsubscribe', 'list-post', 'list-help', 'content-type'],
];

/** Reads a message. @throws if its headers or its nesting are beyond all bounds */
export async function readMail({ raw, cut }: MailToRead): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_DEPTH,
    maxHeadersSize: MAX_HEADER_BYTES,
  });
  const plain = clean(mail.text);
  const isHtml = plain.trim() === '' && mail.html !== undefined;
  const { text, quoted } = isHtml ? htmlText(mail.html!.slice(0, 10 * MAX_TEXT)) : { text: plain, quoted: '' };
  const parts = cut ? cutQuotes(clean(text)) : { text: clean(text), quoted: '' };
  const copies = mail.attachments.filter(({ mimeType }) => /^(message\/rfc822|text\/rfc822-headers)$/i.test(mimeType));
  const status = mail.attachments.find(({ mimeType }) => /^message\/delivery-status$/i.test(mimeType));
  return {
    from: authorOf(mail),
    subject: oneLine(mail.subject ?? '', MAX_VALUE),
    date: (mail.date ?? '').slice(0, MAX_VALUE),
    messageId: idsIn(mail.messageId)[0],
    references: [...new Set([...idsIn(mail.inReplyTo), ...idsIn(mail.references).reverse()])].slice(0, MAX_REFERENCES),
    text: parts.text,
    quoted: [parts.quoted, clean(quoted)].filter((part) => part.trim() !== '').join('\n\n'),
    attachments: mail.attachments.slice(0, MAX_ATTACHMENTS).map(attachmentOf),
    headers: Object.fromEntries(
      mail.headers.filter(({ key }) => TELLING.includes(key)).map(({ key, value }) => [key, value.slice(0, MAX_VALUE)]),
    ),
    report: status && readReport(copyOf(status)),
    copied: [...copies.flatMap((copy) => messageIdsIn(copyOf(copy))), ...messageIdsIn(plain.slice(0, MAX_COPY))],
  };
}

/**
 * UTF-8 that was decoded as Windows-1252, because the message says that it is ASCII, read again. Text that is in
 * Windows-1252 is hardly ever valid UTF-8.
 */
function reread(text: string): string {
  const bytes = [...text].map((character) => byteOf(character));
  if (bytes.every((byte) => byte === undefined || byte < 0x80) || bytes.includes(undefined)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[]));
  } catch {
    return text;
  }
}

/** Without control characters. Invisible ones stay: scripts and emoji need some of them. */
const clean = (text: string | undefined): string =>
  reread((text ?? '').slice(0, MAX_TEXT))
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(/(?![\t\n])\p{Cc}|\ufeff/gu, '');

/** Line breaks would end a header when a reply repeats it. */
const oneLine = (text: string, max: number): string =>
  [
    ...clean(text.slice(0, 2 * max))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, max)
    .join('');

/** In an 8-bit header, too, which no standard allows. */
function authorOf({ from, headers }: Email): ReadMail['from'] {
  const [author] = [from ? [from] : addressParser(headers.find(({ key }) => key === 'from')?.value ?? '')].flat();
  const mailbox = author && mailboxOf(author);
  return mailbox && { address: mailbox.address.trim(), name: oneLine(decodeWords(mailbox.name), MAX_NAME) };
}

const mailboxOf = (address: Address) =>
  (address.group ? address.group[0] : address) as { address: string; name: string } | undefined;

const idsIn = (header: string | undefined): string[] =>
  [...(header ?? '').slice(0, 64_000).matchAll(/<([^<>\s]+)>/g)]
    .map(([, id]) => id!)
    .filter((id) => id.length <= MAX_MESSAGE_ID);

function attachmentOf({ filename, mimeType, disposition, related, content }: Attachment): ReadAttachment {
  return {
    name: oneLine(filename ?? '', MAX_FILE_NAME),
    type:
      /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && mimeType.length <= 100
        ? mimeType.toLowerCase()
        : 'application/octet-stream',
    isInline: related === true || disposition === 'inline',
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer),
  };
}

const copyOf = ({ content }: Attachment): string =>
  (typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1')).slice(0, MAX_COPY);
