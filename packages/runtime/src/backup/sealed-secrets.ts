import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { failedPrecondition } from '../errors.ts';
import { seal, unseal } from '../vault.ts';

/** The variables of the secrets. */
export type Secrets = Record<string, string>;

/** The secrets, encrypted with a key that scrypt derives from a passphrase. Both in base64. */
export interface SealedSecrets {
  salt: string;
  sealed: string;
}

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** A guess takes about 128 MiB and a third of a second. */
const COST = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 };

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

export async function sealSecrets(passphrase: string, name: string, secrets: Secrets): Promise<SealedSecrets> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(passphrase, salt, KEY_BYTES, COST);
  return { salt: salt.toString('base64'), sealed: seal(key, name, JSON.stringify(secrets)).toString('base64') };
}

/** @throws AppError `failed_precondition` if it is another passphrase */
export async function openSecrets(passphrase: string, name: string, { salt, sealed }: SealedSecrets): Promise<Secrets> {
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, COST);
  try {
    return JSON.parse(unseal([key], name, Buffer.from(sealed, 'base64'))) as Secrets;
  } catch {
    throw failedPrecondition('BACKUP_PASSPHRASE is not the one that the secrets of this backup were encrypted with.');
  }
}
