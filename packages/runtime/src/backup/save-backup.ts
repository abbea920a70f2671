import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStore } from '../objects/objects.ts';
import { VERSION } from '../release.ts';
import { type Documents, saveDocuments } from './documents.ts';
import { openFileList } from './file-list.ts';
import { dropUnseen, saveFiles } from './files.ts';
import { deleteBackup, fileListKey, listBackups, type Manifest, refuseName, writeManifest } from './manifest.ts';
import { atOnePoint } from './point.ts';

/** The stores of a system, and where its backups are. */
export interface Stores {
  documents: Documents;
  objects: ObjectStore;
  backups: ObjectStore;
}

export interface Running {
  signal: AbortSignal;
  /** Receives a line for the operator at each step. */
  say(line: string): void;
}

/** How far the clocks of the object store and of this process may be apart. */
const SKEW_MS = 60_000;

/**
 * Backs a running system up, as it is at one point in time: the documents of that point, and every file that they name.
 *
 * Files are immutable, a document names one only once it is stored, and a file is deleted only once no document names it. So
 * most files are copied first, which may take hours; those that are gone shortly before the point, no document names at the
 * point, so they are dropped. After it, those are copied that were stored since. A file that was stored within these minutes and
 * deleted before it was copied is missing; what trainings replace stays for ten minutes after that.
 */
export async function saveBackup(
  { documents, objects, backups }: Stores,
  { name, pauseMs, secrets, signal, say }: Running & Pick<Manifest, 'name' | 'secrets'> & { pauseMs: number },
): Promise<Manifest> {
  await refuseName(backups, name);
  const dir = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  const path = join(dir, 'files.sqlite');
  const list = openFileList(path);
  try {
    const copying = { objects, backups, name, list, signal, say };
    say('Copying the files …');
    await saveFiles(copying, 1);
    await saveFiles(copying, 2);
    await dropUnseen(copying, 2);
    say('Copying the documents …');
    const { parts, point, consistency } = await atOnePoint(
      documents.client,
      { pauseMs, signal },
      async (at, signal) => {
        const point = Date.now();
        const parts = await saveDocuments(documents, { backups, name }, { ...at, signal, say });
        return { parts, point, consistency: at.consistency };
      },
    );
    say('Copying the files that were stored meanwhile …');
    await saveFiles(copying, 3, point + SKEW_MS);
    const { count, bytes } = list.total();
    list.close();
    const stored = await backups.put(fileListKey(name), createReadStream(path), { signal });
    const manifest: Manifest = {
      ...{ name, release: VERSION, point: new Date(point).toISOString(), consistency },
      ...{ collections: parts, files: { ...stored, count, bytes }, secrets },
    };
    await writeManifest(backups, manifest);
    return manifest;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Deletes all complete backups but the newest. */
export async function keepNewest(backups: ObjectStore, keep: number, say: Running['say']): Promise<void> {
  for (const name of (await listBackups(backups)).slice(0, -keep)) {
    await deleteBackup(backups, name);
    say(`Deleted the backup ${name}.`);
  }
}
