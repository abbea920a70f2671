import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts text with AES-256-GCM. What is sealed opens only under the same id, so that it can't be moved to another record. */
export function seal(key: Buffer, id: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts what `seal` has returned under one of the keys. @throws Error if it was none of them, or another id, or a bit was changed */
export function unseal([key, ...others]: readonly [Buffer, ...Buffer[]], id: string, bytes: Uint8Array): string {
  try {
    return unsealWith(key, id, bytes);
  } catch (error) {
    const [next, ...rest] = others;
    if (!next) throw error;
    return unseal([next, ...rest], id, bytes);
  }
}

function unsealWith(key: Buffer, id: string, bytes: Uint8Array): string {
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, iv, options).setAAD(Buffer.from(id)).setAuthTag(tag);
  const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(opened).toString('utf8');
}
