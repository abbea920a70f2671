import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidArgument } from '@parley/runtime';
import { deriveKey } from '@parley/runtime/rpc';

/** A page's statement about one of its users. */
export interface Vouching {
  userId: string;
  /** These may be empty. */
  name: string;
  email: string;
  /** In Unix seconds. */
  expires: number;
  /** Hexadecimal. */
  signature: string;
}

export type Identity = ReturnType<typeof createIdentity>;

const DAY_SECONDS = 24 * 3600;
/** How far the clocks of pages may be ahead of ours. */
const SKEW_SECONDS = 300;

/**
 * The identity secrets of chatbots, with which their pages vouch for users. A secret derives from the operation that made
 * it, so nothing that is stored gives one away; and from the pepper, since pages keep it for good.
 */
export function createIdentity(pepper: string, clock: () => number = Date.now) {
  const key = deriveKey(pepper, 'identity');
  const secretOf = (chatbot: string, operation: string): string =>
    createHmac('sha256', key).update(`${chatbot} ${operation}`).digest('base64url');

  return {
    secretOf,

    /**
     * Returns whether the signature is that of the secret that `operation` made, and still good.
     *
     * @throws AppError `invalid_argument` if it expires in more than a day.
     */
    vouches(chatbot: string, operation: string, { userId, name, email, expires, signature }: Vouching): boolean {
      const now = clock() / 1000;
      if (expires > now + DAY_SECONDS + SKEW_SECONDS) throw invalidArgument('expires must be at most a day ahead.');
      const signed = [userId, name, email, String(expires)].join('\n');
      const expected = createHmac('sha256', secretOf(chatbot, operation)).update(signed).digest();
      const given = Buffer.from(signature, 'hex');
      return given.length === expected.length && timingSafeEqual(given, expected) && expires > now;
    },
  };
}
