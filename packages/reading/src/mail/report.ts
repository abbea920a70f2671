/** A mail server's report about a mail that it could not deliver (RFC 3464). */
export interface Report {
  /** False for a delay that may pass. */
  failed: boolean;
  /** In the words of the server that refused it; may be empty. */
  reason: string;
}

const MAX_REASON = 300;

/** Reads the fields of a `message/delivery-status`. */
export function readReport(status: string): Report {
  const fields = status.replace(/\r\n?/g, '\n').replace(/\n[ \t]+/g, ' ');
  const field = (name: string) => new RegExp(`^${name}\\s*:\\s*(.*)$`, 'im').exec(fields)?.[1]?.trim();
  const diagnostic = field('Diagnostic-Code')?.replace(/^[\w-]+\s*;\s*/, '');
  const reason = [field('Status'), diagnostic].filter(Boolean).join(' ');
  return { failed: /^failed\b/i.test(field('Action') ?? ''), reason: reason.slice(0, MAX_REASON) };
}

/** The Message-IDs, without angle brackets, of the messages that a text has copies or headers of. */
export const messageIdsIn = (text: string): string[] =>
  [...text.matchAll(/^message-id:\s*<([^<>\s]{1,998})>/gim)].map(([, id]) => id!);
