import { hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The secret that keys are derived from. While it is being turned, a list: the one that signs and encrypts comes first; what the
 * others have signed or encrypted is accepted, too.
 */
export type RootSecret = string | readonly [current: string, ...accepted: string[]];

/** Returns whether more than one secret is accepted. */
export const isTurning = (secret: RootSecret): boolean => typeof secret !== 'string' && secret.length > 1;

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
  | 'webhook'
  | 'backup';

/**
 * A 32-byte key derived from the generated secret (HKDF-SHA-256, RFC 5869), the same in every process that has it.
 *
 * @param names narrow the purpose, such as to a role; without spaces.
 */
export const deriveKey = (secret: RootSecret, purpose: KeyPurpose, ...names: string[]): Buffer =>
  deriveKeys(secret, purpose, ...names)[0];

/** The same from each secret that is accepted; the first one signs and encrypts. */
export function deriveKeys(secret: RootSecret, purpose: KeyPurpose, ...names: string[]): [Buffer, ...Buffer[]] {
  const [current, ...accepted] = typeof secret === 'string' ? [secret] : secret;
  const derived = (from: string) =>
    Buffer.from(hkdfSync('sha256', from, '', ['parley', purpose, ...names].join(' '), 32));
  return [derived(current), ...accepted.map(derived)];
}

/** Returns whether `given` is what `mac` makes of one of the keys. */
export const isMacOf = <K>(keys: readonly K[], given: Uint8Array, mac: (key: K) => Buffer): boolean =>
  keys.some((key) => {
    const expected = mac(key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
