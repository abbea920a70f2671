import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { deriveKey } from '@parley/runtime';

/**
 * An API key is `parley_`, 32 characters of base62 (190 bits) and 6 of their CRC-32: scanners find it in a leaked file,
 * and a typing error is told from a revoked key without a look-up.
 */
export const KEY_SHAPE = /^parley_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;

export interface KeyMint {
  /** The key of an operation: the same one on every retry, so that no key is ever stored to be shown again. */
  mint(operation: string): string;
  /** What is stored of a key, as hex; undefined for text that can't be a key. */
  hash(key: string): string | undefined;
}

/**
 * Keys come from the one secret and the operation id; their hashes carry a pepper that no database holds. `drawn` is the one
 * key that may lack the check, since whoever installs the system drew it without us.
 */
export function createKeyMint(secret: string, drawn?: string): KeyMint {
  const material = deriveKey(secret, 'api-key');
  const pepper = deriveKey(secret, 'key-pepper');
  const hashOf = (key: string) => createHmac('sha256', pepper).update(key).digest();
  const hashOfDrawn = drawn && hashOf(drawn);
  return {
    mint(operation) {
      const random = createHmac('sha256', material).update(operation).digest('hex');
      const body = base62(BigInt(`0x${random}`), SECRET_LENGTH);
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
