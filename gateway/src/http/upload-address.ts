import { createHmac } from 'node:crypto';
import { permissionDenied } from '@parley/runtime';
import { deriveKeys, isMacOf, type RootSecret } from '@parley/runtime/rpc';
import { canonical } from './json.ts';

/** How long an address is valid. */
export const UPLOAD_ADDRESS_MS = 15 * 60_000;

/** Signed addresses, each for uploads of one item of one account until it expires. */
export interface UploadAddresses {
  /** The query of an address that is valid for 15 minutes. */
  sign(account: string, item: string): string;
  /** Returns the account that signed the query for this item; PERMISSION_DENIED if it is not ours or has expired. */
  verify(item: string, query: Readonly<Record<string, unknown>>): string;
}

/** Addresses need no storage: all gateways share the key, and it survives restarts. */
export function createUploadAddresses(secret: RootSecret, clock: () => number = Date.now): UploadAddresses {
  const keys = deriveKeys(secret, 'upload');
  const mac = (key: Buffer, ...signed: string[]) => createHmac('sha256', key).update(canonical(signed)).digest();

  return {
    sign(account, item) {
      const expires = String(Math.ceil((clock() + UPLOAD_ADDRESS_MS) / 1000));
      const signature = mac(keys[0], account, item, expires).toString('base64url');
      return new URLSearchParams({ account, expires, signature }).toString();
    },
    verify(item, { account, expires, signature }) {
      // A repeated parameter is an array.
      const texts = [account, expires, signature].map((value) => (typeof value === 'string' ? value : ''));
      const [by = '', until = '', signed = ''] = texts;
      const given = Buffer.from(signed, 'base64url');
      // Decoding ignores stray characters; a genuine signature has none.
      const isPlain = given.toString('base64url') === signed;
      if (!isPlain || !isMacOf(keys, given, (key) => mac(key, by, item, until)))
        throw permissionDenied('This upload address is not valid. Use the upload_url exactly as it was given.');
      if (Number(until) * 1000 <= clock())
        throw permissionDenied('This upload address has expired. Create the document again to get another.');
      return by;
    },
  };
}
