import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

/**
 * A public id, 12 characters of base62, for the assistant that an operation creates: the same on every retry, a different
 * one for each `attempt` to find a free one.
 */
export function publicId(operation: string, attempt: number): string {
  let rest = BigInt(`0x${createHash('sha256').update(`public id ${attempt} of ${operation}`).digest('hex')}`);
  let id = '';
  for (; id.length < LENGTH; rest /= 62n) id += ALPHABET[Number(rest % 62n)];
  return id;
}
