import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '@parley/runtime/rpc';
import { HttpError } from '../http/http-error.ts';

/** Who a visitor is on the page, as far as anyone has said. What is unknown is empty. */
export interface Profile {
  name: string;
  email: string;
  userId: string;
  /** The page vouches for all of this. */
  verified: boolean;
}

/** What a token says. */
export interface Visitor {
  id: string;
  /** The internal id of the only chatbot where the token counts. */
  chatbot: string;
  /** The visitor's conversation; absent before the first message. */
  session?: string | undefined;
  /** Who began before the first message; nothing is stored of them until then. */
  profile?: Profile | undefined;
}

export interface VisitorTokens {
  seal(visitor: Visitor): string;
  /** Throws 401 for a token that is not ours or has expired. */
  open(token: string): Visitor;
}

/** A 401 that says what would be accepted, as HTTP requires. */
export const unknownVisitor = (message: string): HttpError =>
  new HttpError(401, message, { 'WWW-Authenticate': 'Visitor-Token' });

/** Each message renews it. */
export const TOKEN_MS = 30 * 24 * 3_600_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/**
 * Tokens are encrypted, so that no page can read the identity, the session or the visitor in them, and need no storage: all
 * gateways share the key, and it survives restarts.
 */
export function createVisitorTokens(secret: string, clock: () => number = Date.now): VisitorTokens {
  const key = deriveKey(secret, 'visitor');

  function decrypt(bytes: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(bytes.subarray(0, 1))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(1 + IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  return {
    seal(visitor) {
      const version = Buffer.of(VERSION);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(version);
      const text = JSON.stringify({ ...visitor, expires: clock() + TOKEN_MS });
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([version, iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(token) {
      let sealed: Visitor & { expires: number };
      try {
        const bytes = Buffer.from(token, 'base64url');
        // Decoding ignores stray characters; a genuine token has none.
        if (bytes.toString('base64url') !== token || bytes[0] !== VERSION) throw new Error('not a token');
        sealed = JSON.parse(decrypt(bytes));
      } catch {
        throw unknownVisitor('This visitor token is not valid. Begin a new conversation.');
      }
      const { expires, ...visitor } = sealed;
      if (expires <= clock()) throw unknownVisitor('This visitor token has expired. Begin a new conversation.');
      return visitor;
    },
  };
}
