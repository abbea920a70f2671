import { hkdfSync } from 'node:crypto';

/** Each purpose has a key of its own, so that what one key signs never passes for another's. */
export type KeyPurpose =
  | 'rpc-context'
  | 'api-key'
  | 'key-pepper'
  | 'cursor'
  | 'operation'
  | 'stored-response'
  | 'upload'
  | 'visitor';

/** 32 bytes derived from the one generated secret (HKDF-SHA-256, RFC 5869), the same in every process that has it. */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32));
