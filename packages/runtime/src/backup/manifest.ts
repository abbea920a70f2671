import type { IndexDescription } from 'mongodb';
import { deriveKeys, type RootSecret } from '../derive-key.ts';
import { failedPrecondition, notFound } from '../errors.ts';
import { type ObjectStore, readObject, type StoredObject } from '../objects/objects.ts';
import { isNewer, VERSION } from '../release.ts';
import type { SealedSecrets } from './sealed-secrets.ts';

/** The content of a backup. Written last: a backup without one is not complete. */
export interface Manifest {
  name: string;
  /** The release that made it. */
  release: string;
  /** Every write acknowledged before this time is in it. */
  point: string;
  /** `paused`: writes waited meanwhile; `snapshot`: a replica set showed its state at one time. */
  consistency: 'paused' | 'snapshot';
  collections: CollectionPart[];
  /** The list of files, and what they have together. */
  files: StoredObject & { count: number; bytes: number };
  secrets: { fingerprints: Fingerprints; sealed?: SealedSecrets };
}

/** Documents of a collection: BSON, one after the other, compressed with gzip. `size` and `sha256` are of the compressed file. */
export interface CollectionPart extends StoredObject {
  /** The service, which is the name of the database without its prefix. */
  database: string;
  collection: string;
  documents: number;
  options: Record<string, unknown>;
  indexes: IndexDescription[];
}

/** They tell secrets apart, and nothing of them. */
export interface Fingerprints {
  pepper: string;
  secret: string;
}

const MAX_BYTES = 64 << 20;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const FOLDER = 'backups/';

const manifestKey = (name: string): string => `${FOLDER}${name}.json`;
/** Where the parts of a backup are. */
export const partsOf = (name: string): string => `data/${name}/`;
export const documentsKey = (name: string, { database, collection }: Pick<CollectionPart, 'database' | 'collection'>) =>
  `${partsOf(name)}documents/${database}/${collection}.bson.gz`;
export const fileListKey = (name: string): string => `${partsOf(name)}files.sqlite`;
export const fileKey = (name: string, key: string): string => `${partsOf(name)}files/${key}`;

/** @throws AppError `failed_precondition` if there is such a backup, or the name can't be one. */
export async function refuseName(backups: ObjectStore, name: string): Promise<void> {
  if (!NAME.test(name))
    throw failedPrecondition(
      'The name of a backup has 1 to 100 letters, digits, - and _, and begins with neither - nor _.',
    );
  if (await backups.stat(manifestKey(name))) throw failedPrecondition(`There is a backup ${name} already.`);
}

export async function writeManifest(backups: ObjectStore, manifest: Manifest): Promise<void> {
  const text = Buffer.from(JSON.stringify(manifest, null, 2));
  await backups.put(manifestKey(manifest.name), text, { contentType: 'application/json' });
}

/** @throws AppError if there is no such backup, or a newer release has made it */
export async function readManifest(backups: ObjectStore, name: string): Promise<Manifest> {
  const text = NAME.test(name) && (await readObject(backups, manifestKey(name), MAX_BYTES));
  if (!text) throw notFound(`There is no complete backup ${name}.`);
  const manifest = JSON.parse(text.toString()) as Manifest;
  if (isNewer(manifest.release, VERSION))
    throw failedPrecondition(
      `The backup ${name} was made by Parley ${manifest.release}, and this is ${VERSION}. Restore it with that release or a later one.`,
    );
  return manifest;
}

/** The names of the complete backups in a store, oldest first. */
export async function listBackups(backups: ObjectStore): Promise<string[]> {
  const found: { name: string; at: number }[] = [];
  for await (const { key, modifiedAt } of backups.list(FOLDER))
    found.push({ name: key.slice(FOLDER.length, -'.json'.length), at: modifiedAt.getTime() });
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

/** Deletes a backup: first what makes it one. */
export async function deleteBackup(backups: ObjectStore, name: string): Promise<void> {
  await backups.delete(manifestKey(name));
  while ((await backups.deletePrefix(partsOf(name), DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}

const DELETED_AT_ONCE = 1_000;

/** The fingerprints of the current secrets come first, then those of accepted ones. */
export function fingerprintsOf(secret: RootSecret, pepper: string): [Fingerprints, ...Fingerprints[]] {
  const [ofPepper] = deriveKeys(pepper, 'backup');
  const [current, ...others] = deriveKeys(secret, 'backup').map((key) => ({
    pepper: ofPepper.toString('hex'),
    secret: key.toString('hex'),
  }));
  return [current!, ...others];
}
