import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { deriveKey } from '@parley/runtime';

/**
 * An API key is `parley_`, 32 base62 characters (190 bits) and 6 more for their CRC-32. Secret scanners recognise it in a
 * leaked file, and a typing error can be told from a revoked key without a look-up.
 */
export const KEY_SHAPE = /^parley_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
/** More than the characters can hold, so that taking the remainder by 62^32 introduces no noticeable bias. */
const RANDOM_BYTES = 40;

export interface KeyMint {
  /** A new random key. The caller holds the only copy. */
  mint(): string;
  /** The hash to store for a key, in hex; undefined for text that can't be a key. */
  hash(key: string): string | undefined;
}

/**
 * Keys are random: nothing that is stored, logged or shown reveals one, not even to someone who holds the secret. Hashes
 * use a pepper that is in no database, derived `from` a secret that is never turned. `drawn` is the one key whose checksum may be wrong, because whoever installs the
 * system chose it.
 */
export function createKeyMint(from: string, drawn?: string): KeyMint {
  const pepper = deriveKey(from, 'key-pepper');
  const hashOf = (key: string) => createHmac('sha256', pepper).update(key).digest();
  const hashOfDrawn = drawn && hashOf(drawn);
  return {
    mint() {
      const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
      const body = base62(random, SECRET_LENGTH);
      return `parley_${body}${checksum(body)}`;
    },
    hash(key) {
      const [, body, check] = KEY_SHAPE.exec(key) ?? [];
      if (!body || !check) return undefined;
      const hash = hashOf(key);
      const isChecked = timingSafeEqual(Buffer.from(check), Buffer.from(checksum(body)));
      const isDrawn = hashOfDrawn && timingSafeEqual(hash, hashOfDrawn);
      return isChecked || isDrawn ? hash.toString('hex') : undefined;
    },
  };
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECK_LENGTH);

/** The last `length` digits of a number in base 62. */
function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits;
  return digits;
}
