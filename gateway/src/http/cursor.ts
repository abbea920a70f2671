import { createHmac } from 'node:crypto';
import { invalidArgument } from '@parley/runtime';
import { deriveKeys, isMacOf, type RootSecret } from '@parley/runtime/rpc';
import { canonical } from './json.ts';

/** Where a cursor is valid: one list of one account, with one parent and one filter. */
export interface ListIdentity {
  account: string;
  list: string;
  parent: unknown;
  filter: unknown;
}

export interface Cursors {
  /** Makes a cursor from a service's raw position: URL-safe, and useless for any other list. */
  seal(list: ListIdentity, position: string): string;
  /** Returns the position; INVALID_ARGUMENT if the cursor was not sealed for exactly this list. */
  open(list: ListIdentity, cursor: string): string;
}

const MAC_BYTES = 16;

/** Cursors need no storage: all gateways share the key, it survives restarts, and nothing expires. */
export function createCursors(secret: RootSecret): Cursors {
  const keys = deriveKeys(secret, 'cursor');
  const mac = (key: Buffer, list: ListIdentity, position: Buffer) =>
    createHmac('sha256', key).update(canonical(list)).update('\0').update(position).digest().subarray(0, MAC_BYTES);

  return {
    seal(list, position) {
      const bytes = Buffer.from(position);
      return Buffer.concat([mac(keys[0], list, bytes), bytes]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [seal, position] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
      // Decoding ignores stray characters; a genuine cursor has none.
      const ours = bytes.toString('base64url') === cursor && position.length > 0;
      if (!ours || !isMacOf(keys, seal, (key) => mac(key, list, position)))
        throw invalidArgument('next_cursor is not one that this list has given.');
      return position.toString();
    },
  };
}
