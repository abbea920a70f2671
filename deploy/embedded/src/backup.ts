import { join, resolve } from 'node:path';
import { readEnv } from '@parley/runtime';
import { readBackupConfig, runBackupProgram } from '@parley/runtime/backup';
import { readDataDir } from './config.ts';
import { makeDataDir, secretVariables } from './data-dir.ts';
import { readEndpoints } from './endpoints.ts';
import { startEngine } from './engine/start-engine.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const dataDir = readDataDir(readEnv(process.env));
const [verb] = process.argv.slice(2);
await using stops = new AsyncDisposableStack();

process.exitCode = await runBackupProgram({
  args: process.argv.slice(2),
  commands: { save: 'npm run backup --', restore: 'npm run restore --' },
  async find() {
    await makeDataDir(dataDir);
    const elsewhere = process.env['BACKUP_DIR'] ?? process.env['BACKUP_ENDPOINT'];
    return readBackupConfig(
      readEnv({
        ...process.env,
        ...(elsewhere === undefined && { BACKUP_DIR: `${resolve(dataDir)}-backups` }),
        OBJECTS_DIR: join(dataDir, 'objects'),
        ...(await secretVariables(dataDir)),
        MONGODB_URI: await databaseUri(),
      }),
    );
  },
  signal: stopping.signal,
});

/** The database of the running Parley; or that of the data directory, if none runs. */
async function databaseUri(): Promise<string> {
  const given = process.env['MONGODB_URI'];
  if (given) return given;
  const running = await readEndpoints(dataDir);
  if (running && isAlive(running.pid)) {
    if (verb === 'restore') throw new Error(`Parley runs on the data directory ${dataDir}. Stop it first.`);
    if ('mongodb' in running.bus) return running.bus.mongodb.uri;
  }
  const engine = await startEngine({ dataDir });
  stops.defer(engine.stop);
  return engine.uri;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
