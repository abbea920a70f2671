import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/** Creates the data directory, private to this user. The error's message is for the user. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const refused = (error: NodeJS.ErrnoException) => {
    throw new Error(
      `The data directory ${dataDir} can't be written (${error.code}). Set PARLEY_DATA to a directory that can be written.`,
    );
  };
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(refused);
  const trial = join(dataDir, `.writable-${randomBytes(6).toString('hex')}`);
  await writeFile(trial, '').catch(refused);
  await rm(trial, { force: true });
}

/** The secret that all keys are derived from: generated at the first start. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const kept = await readIfThere(path);
  if (kept) return kept;
  const unfinished = await writeBeside(path, randomBytes(SECRET_BYTES).toString('hex'));
  try {
    // Unlike a rename, a link never replaces a secret that another process has just created.
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished);
  }
  return readFile(path, 'utf8');
}

/** The variables of the secrets. */
export type Secrets = Awaited<ReturnType<typeof secretVariables>>;

/** Reads the secrets from the file `secret`, and from `secret-previous` and `key-pepper`, if they exist. */
export async function secretVariables(dataDir: string) {
  return {
    PARLEY_SECRET: await readOrMakeSecret(dataDir),
    PARLEY_SECRET_PREVIOUS: await readIfThere(join(dataDir, 'secret-previous')),
    PARLEY_KEY_PEPPER: await readIfThere(join(dataDir, 'key-pepper')),
  };
}

/** Writes a file that only this user can read; creates or replaces it atomically. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await rename(await writeBeside(path, text), path);
}

/** The contents of the file; undefined if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeBeside(path: string, text: string): Promise<string> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
  return unfinished;
}
