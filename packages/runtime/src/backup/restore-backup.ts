import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { failedPrecondition } from '../errors.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { checkedBody } from './checked-body.ts';
import { type Documents, databasesOf, restoreCollection } from './documents.ts';
import { openFileList } from './file-list.ts';
import { restoreFiles } from './files.ts';
import { type CollectionPart, type Fingerprints, fileListKey, type Manifest, readManifest } from './manifest.ts';
import type { Running, Stores } from './save-backup.ts';

const MIGRATIONS = 'migrations';
/** Looks like a migration of a newer release, so that no process starts on half of the data. */
const GUARD = { _id: 1_000_000_000, name: 'a restore that has not ended' };
const DELETED_AT_ONCE = 1_000;

/**
 * Restores a backup into empty stores.
 *
 * @param options.accepted of the secrets that the restored system will have
 * @param options.force empties the stores first
 * @throws AppError `failed_precondition` if they are not empty, the secrets are others, the release is too old, or a part is damaged
 */
export async function restoreBackup(
  stores: Stores,
  { name, accepted, force = false, signal, say }: Running & { name: string; accepted: Fingerprints[]; force?: boolean },
): Promise<Manifest> {
  const manifest = await readManifest(stores.backups, name);
  refuseOtherSecrets(manifest, accepted);
  const { documents, objects, backups } = stores;
  if (force) await empty(documents, objects);
  else await refuseUnlessEmpty(documents, objects);

  const from = { backups, name };
  const services = [...new Set(manifest.collections.map(({ database }) => database))];
  const guardOf = (service: string) =>
    documents.client.db(documents.prefix + service).collection<typeof GUARD>(MIGRATIONS);
  for (const service of services) await guardOf(service).insertOne(GUARD);
  say('Restoring the files …');
  await withFileList(manifest, backups, signal, (list) => restoreFiles({ objects, backups, name, list, signal, say }));
  say('Restoring the documents …');
  const isMigrations = ({ collection }: CollectionPart) => collection === MIGRATIONS;
  for (const part of [
    ...manifest.collections.filter((part) => !isMigrations(part)),
    ...manifest.collections.filter(isMigrations),
  ]) {
    signal.throwIfAborted();
    await restoreCollection(documents, from, part, signal);
    say(`documents: ${part.database}.${part.collection}: ${part.documents}`);
  }
  for (const service of services) await guardOf(service).deleteOne({ _id: GUARD._id });
  return manifest;
}

function refuseOtherSecrets({ name, secrets }: Manifest, accepted: Fingerprints[]): void {
  const { pepper, secret } = secrets.fingerprints;
  if (!accepted.some((one) => one.pepper === pepper))
    throw failedPrecondition(
      `The backup ${name} was made with another PARLEY_KEY_PEPPER (or PARLEY_SECRET, where there is none): no API key would work. Set the one of the backup first.`,
    );
  if (!accepted.some((one) => one.secret === secret))
    throw failedPrecondition(
      `The backup ${name} was made with another PARLEY_SECRET: set that one, or add it to PARLEY_SECRET_PREVIOUS.`,
    );
}

async function refuseUnlessEmpty(documents: Documents, objects: ObjectStore): Promise<void> {
  for (const service of await databasesOf(documents)) {
    const database = documents.prefix + service;
    for (const collection of await documents.client.db(database).collections())
      if (await collection.findOne())
        throw failedPrecondition(
          `The database ${database} is not empty. Stop all of Parley and use --force to delete what is there.`,
        );
  }
  for await (const { key } of objects.list(''))
    throw failedPrecondition(
      `The file store is not empty: it has ${key}. Stop all of Parley and use --force to delete what is there.`,
    );
}

async function empty(documents: Documents, objects: ObjectStore): Promise<void> {
  for (const service of await databasesOf(documents))
    await documents.client.db(documents.prefix + service).dropDatabase();
  while ((await objects.deletePrefix('', DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}

async function withFileList(
  { name, files }: Manifest,
  backups: ObjectStore,
  signal: AbortSignal,
  work: (list: ReturnType<typeof openFileList>) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-restore-'));
  try {
    const path = join(dir, 'files.sqlite');
    await pipeline(await checkedBody(backups, fileListKey(name), files.sha256, signal), createWriteStream(path), {
      signal,
    });
    const list = openFileList(path);
    await work(list).finally(() => list.close());
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
