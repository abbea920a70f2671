import { createHmac } from 'node:crypto';
import { deriveKeys, isMacOf, type RootSecret } from '@parley/runtime/rpc';

/** Names mails in addresses, in a way that only their receivers know. */
export interface Tokens {
  /** In lower-case letters and digits, so that it fits into the local part of an address, which has at most 64. */
  write(mailId: string): string;
  /** The id of the mail, in any case; undefined if the token is not ours. */
  read(token: string): string | undefined;
}

const ID_BYTES = 16;
const MAC_BYTES = 15;
/** As many digits in base 36 as all bytes can have. */
const LENGTH = Math.ceil(((ID_BYTES + MAC_BYTES) * 8) / Math.log2(36));

export function createTokens(secret: RootSecret): Tokens {
  const keys = deriveKeys(secret, 'mail-reply');
  const mac = (key: Buffer, id: Buffer) => createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
  return {
    write(mailId) {
      const id = Buffer.from(mailId.replaceAll('-', ''), 'hex');
      return BigInt(`0x${Buffer.concat([id, mac(keys[0], id)]).toString('hex')}`)
        .toString(36)
        .padStart(LENGTH, '0');
    },
    read(token) {
      if (!/^[0-9a-z]+$/i.test(token) || token.length !== LENGTH) return undefined;
      let number = 0n;
      for (const digit of token.toLowerCase()) number = number * 36n + BigInt(Number.parseInt(digit, 36));
      const hex = number.toString(16).padStart(2 * (ID_BYTES + MAC_BYTES), '0');
      const bytes = Buffer.from(hex, 'hex');
      const [id, given] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
      if (!isMacOf(keys, given, (key) => mac(key, id))) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
