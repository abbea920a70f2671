import { createHash, randomUUID } from 'node:crypto';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A random UUID (version 4). */
export const randomId = (): string => randomUUID();

/** Returns whether `text` is a UUID as this product writes them: lower case, with hyphens, versions 1 to 8. */
export const isUuid = (text: string): boolean => uuidShape.test(text);

/** Returns whether an id comes from `deriveId`, so that the same operation may derive it again; a random one never comes again. */
export const isDerivedId = (id: string): boolean => id[14] === '8';

/**
 * The same parts give the same UUID (version 8, the first 122 bits of a SHA-256), in every process and forever. Each
 * part is hashed after its length, so that ('ab', 'c') and ('a', 'bc') differ.
 */
export function deriveId(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
