import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, invalidArgument } from '@parley/runtime';
import { canonical } from './json.ts';

/** What a cursor is good for: one list of one account, under one parent, by one filter. */
export interface ListIdentity {
  account: string;
  list: string;
  parent: unknown;
  filter: unknown;
}

export interface Cursors {
  /** A service's raw position as clients get it: URL-safe, and of no use for any other list. */
  seal(list: ListIdentity, position: string): string;
  /** The position again; INVALID_ARGUMENT for what was not sealed for this very list. */
  open(list: ListIdentity, cursor: string): string;
}

const MAC_BYTES = 16;

/** Cursors need no memory: all gateways hold the key, restarts keep it, and nothing expires. */
export function createCursors(secret: string): Cursors {
  const key = deriveKey(secret, 'cursor');
  const mac = (list: ListIdentity, position: Buffer) =>
    createHmac('sha256', key).update(canonical(list)).update('\0').update(position).digest().subarray(0, MAC_BYTES);

  return {
    seal(list, position) {
      const bytes = Buffer.from(position);
      return Buffer.concat([mac(list, bytes), bytes]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [seal, position] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
      // Decoding forgives stray characters; what we sealed has none.
      const ours = bytes.toString('base64url') === cursor && position.length > 0;
      if (!ours || !timingSafeEqual(seal, mac(list, position)))
        throw invalidArgument('next_cursor is not one that this list has given.');
      return position.toString();
    },
  };
}
