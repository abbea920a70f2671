import { createHash } from 'node:crypto';
import { deriveId } from '@parley/runtime/rpc';

/** The properties that make two deliveries the same message. */
export interface Identity {
  assistantId: string;
  /** Undefined if it has none, or could not be read. */
  messageId: string | undefined;
  from: string;
  subject: string;
  date: string;
  content: readonly (string | Uint8Array)[];
}

/**
 * The operation that receives a message: the same when its sender tries again, and when it comes by two ways, whose trace headers
 * and boundaries differ. Not by Message-ID alone: some programs give all their messages the same.
 */
export function operationOf({ assistantId, messageId, from, subject, date, content }: Identity): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${part.length}:`).update(part);
  const named = messageId === undefined ? ['', subject, date] : [messageId];
  return deriveId('mail', assistantId, from.toLowerCase(), ...named, hash.digest('hex'));
}
