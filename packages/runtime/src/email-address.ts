import { invalidArgument } from './errors.ts';

/** RFC 3696 (as corrected): 64 for the local part, `@`, 255 for the domain. */
const MAX_ADDRESS = 320;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/** An unquoted local part (RFC 5322 dot-atom); letters of any script (RFC 6531). */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** At least two labels: no mail server outside is reached by one. */
const DOMAIN =
  /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?)+$/u;

/** Returns whether `text` is an address that mail can be sent to: `local@domain`, without a display name, quotes or comments. */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  return local.length <= MAX_LOCAL && domain.length <= MAX_DOMAIN && LOCAL.test(local) && DOMAIN.test(domain);
}

/** Returns the address as sent. @throws AppError `invalid_argument` if it is not one. */
export function emailAddress(field: string, text: string): string {
  if (text.length > MAX_ADDRESS) throw invalidArgument(`${field} must have at most ${MAX_ADDRESS} characters.`);
  if (!isEmailAddress(text)) throw invalidArgument(`${field} must be an email address such as ann@example.com.`);
  return text;
}

/**
 * The same for all spellings of an address that people use for one mailbox. Case matters in local parts by the standard,
 * but for no provider in practice; telling `Bob@` from `bob@` would let a blocked sender go on.
 */
export const normalAddress = (address: string): string => address.toLowerCase().normalize('NFC');
