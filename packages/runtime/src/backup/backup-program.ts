import { parseArgs } from 'node:util';
import { failedPrecondition } from '../errors.ts';
import { createLog } from '../log.ts';
import { mongoClient } from '../mongo/connect.ts';
import { openObjects } from '../objects/open-objects.ts';
import { CannotRun } from '../process.ts';
import { publicError } from '../rpc/status.ts';
import type { BackupConfig } from './config.ts';
import { fingerprintsOf, listBackups, readManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { keepNewest, type Running, type Stores, saveBackup } from './save-backup.ts';
import { openSecrets, sealSecrets } from './sealed-secrets.ts';

export interface BackupProgram {
  /** `save` or `restore`, then the arguments. */
  args: string[];
  /** The command lines that start it, for the usage text. */
  commands: Record<'save' | 'restore', string>;
  /** @throws Error with a sentence for the operator */
  find(): Promise<BackupConfig>;
  /** Ends the program in an orderly way: writes go on. */
  signal: AbortSignal;
}

const OPTIONS = {
  keep: { type: 'string' },
  list: { type: 'boolean' },
  unlock: { type: 'boolean' },
  force: { type: 'boolean' },
  secrets: { type: 'boolean' },
} as const;

const usage = ({
  save,
  restore,
}: BackupProgram['commands']) => `Usage: ${save} [NAME] [--keep N]     backs up, then deletes all but the newest N backups
       ${save} --list               the backups that there are, oldest first
       ${save} --unlock             lets writes go on after a backup that was killed
       ${restore} NAME [--force]   restores into empty stores, or empties them first
       ${restore} NAME --secrets   prints the secrets of a backup, with BACKUP_PASSPHRASE`;

type Act = (config: BackupConfig, stores: Stores, running: Running) => Promise<void>;

/** Backs up or restores, for an operator. Resolves to the program's exit code. */
export async function runBackupProgram(program: BackupProgram): Promise<number> {
  const act = actOf(program.args);
  if (!act) return fail(usage(program.commands), 2);
  try {
    const config = await program.find();
    const log = createLog('backup', 'error', 'text');
    const client = mongoClient(config.mongodb, { serverSelectionTimeoutMS: 10_000 });
    const [objects, backups] = [openObjects(config.objects, log), openObjects(config.backups, log)];
    try {
      await objects.start?.(program.signal);
      await backups.start?.(program.signal);
      const documents = { client, prefix: config.mongodb.prefix };
      await act(config, { documents, objects, backups }, { signal: program.signal, say });
      return 0;
    } finally {
      await Promise.allSettled([client.close(), objects.stop?.(), backups.stop?.()]);
    }
  } catch (error) {
    if (program.signal.aborted) return fail('Stopped. Nothing that was written so far is a backup.', 1);
    const { code, message } = publicError(error);
    return fail(
      code === 'internal' ? ((error as Error).message ?? message) : message,
      error instanceof CannotRun ? 78 : 1,
    );
  }
}

/** Returns what the arguments ask for; undefined if that can't be done. */
function actOf([verb, ...args]: string[]): Act | undefined {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [name, ...more] = positionals;
    const { keep, list, unlock, force, secrets } = values;
    if (more.length > 0) return undefined;
    if (verb === 'restore') {
      if (name === undefined || keep !== undefined || list || unlock || (force && secrets)) return undefined;
      return secrets ? showSecrets(name) : restore(name, force ?? false);
    }
    if (verb !== 'save' || force || secrets || (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))) return undefined;
    if (list || unlock) return name === undefined && keep === undefined ? (list ? showAll : unlocked) : undefined;
    return save(name ?? nameNow(), keep === undefined ? undefined : Number(keep));
  } catch {
    return undefined;
  }
}

const nameNow = () => `parley-${new Date().toISOString().replace(/[:.]/g, '-')}`;

const save =
  (name: string, keep: number | undefined): Act =>
  async ({ secret, pepper, secrets, passphrase, pauseMs }, stores, running) => {
    const sealed = passphrase === undefined ? {} : { sealed: await sealSecrets(passphrase, name, secrets) };
    const [fingerprints] = fingerprintsOf(secret, pepper);
    const options = { name, pauseMs, secrets: { fingerprints, ...sealed }, ...running };
    const { collections, files, point, consistency } = await saveBackup(stores, options);
    const documents = collections.reduce((sum, part) => sum + part.documents, 0);
    const how = consistency === 'paused' ? ' Writes waited while the documents were copied.' : '';
    say(`Backed up as ${name}: ${documents} documents and ${files.count} files, as they were at ${point}.${how}`);
    if (passphrase === undefined)
      say('It has no copy of the secrets (PARLEY_SECRET, PARLEY_KEY_PEPPER): keep them, or set BACKUP_PASSPHRASE.');
    if (keep !== undefined) await keepNewest(stores.backups, keep, say);
  };

const restore =
  (name: string, force: boolean): Act =>
  async ({ secret, pepper }, stores, running) => {
    const accepted = fingerprintsOf(secret, pepper);
    const { point } = await restoreBackup(stores, { name, accepted, force, ...running });
    say(`Restored ${name}, as everything was at ${point}. Start Parley.`);
  };

const showAll: Act = async (_, { backups }) => {
  for (const name of await listBackups(backups)) say(name);
};

const unlocked: Act = async (_, { documents }) => {
  const admin = documents.client.db('admin');
  // Fails once it is not locked any more.
  while ((await admin.command({ fsyncUnlock: 1 }).catch(() => ({ lockCount: 0 })))['lockCount'] > 0);
  say('Writes go on.');
};

const showSecrets =
  (name: string): Act =>
  async ({ passphrase }, { backups }) => {
    const { sealed } = (await readManifest(backups, name)).secrets;
    if (!sealed) throw failedPrecondition('The backup has no copy of the secrets.');
    if (passphrase === undefined) throw failedPrecondition('Set BACKUP_PASSPHRASE.');
    say(JSON.stringify(await openSecrets(passphrase, name, sealed), null, 2));
  };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string, code: number): number {
  process.stderr.write(`${message}\n`);
  return code;
}
