import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKeys, type KeyPurpose, type RootSecret } from './derive-key.ts';

/** Makes tokens that nobody else can make or read. */
export interface Sealer<T> {
  seal(content: T): string;
  /** Undefined for a token that is not ours. */
  open(token: string): T | undefined;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/**
 * Tokens are encrypted, so that no page can read what is in them, and need no storage: all gateways share the key, and it
 * survives restarts.
 *
 * @param purpose tokens of one are none of another
 */
export function createSealer<T>(secret: RootSecret, purpose: KeyPurpose): Sealer<T> {
  const keys = deriveKeys(secret, purpose);

  function decrypt(key: Buffer, bytes: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(bytes.subarray(0, 1))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(1 + IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  return {
    seal(content) {
      const version = Buffer.of(VERSION);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0], iv, { authTagLength: TAG_BYTES }).setAAD(version);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
      return Buffer.concat([version, iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Decoding ignores stray characters; a genuine token has none.
      if (bytes.toString('base64url') !== token || bytes[0] !== VERSION) return undefined;
      for (const key of keys) {
        try {
          return JSON.parse(decrypt(key, bytes)) as T;
        } catch {
          // Sealed with another key, or by nobody here.
        }
      }
      return undefined;
    },
  };
}
