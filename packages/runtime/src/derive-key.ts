import { hkdfSync } from 'node:crypto';

/** Each purpose has its own key, so that what one key signs never passes for another's. */
export type KeyPurpose =
  | 'rpc-context'
  | 'event'
  | 'key-pepper'
  | 'cursor'
  | 'operation'
  | 'stored-response'
  | 'upload'
  | 'mail-reply'
  | 'visitor'
  | 'ticket'
  | 'identity'
  | 'webhook';

/**
 * A 32-byte key derived from the generated secret (HKDF-SHA-256, RFC 5869), the same in every process that has it.
 *
 * @param names narrow the purpose, such as to a role; without spaces.
 */
export const deriveKey = (secret: string, purpose: KeyPurpose, ...names: string[]): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', ['parley', purpose, ...names].join(' '), 32));
