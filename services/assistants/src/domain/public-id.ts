import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

/**
 * 12 characters of base62 for the assistant that an operation makes: the same on every retry, another for each attempt
 * at one that nobody has yet.
 */
export function publicId(operation: string, attempt: number): string {
  let rest = BigInt(`0x${createHash('sha256').update(`public id ${attempt} of ${operation}`).digest('hex')}`);
  let id = '';
  for (; id.length < LENGTH; rest /= 62n) id += ALPHABET[Number(rest % 62n)];
  return id;
}
