import { readBackupConfig, runBackupProgram } from './backup/index.ts';
import { ConfigError, readEnv } from './env.ts';

/** The operators' program in a cluster: `node packages/runtime/src/backup.ts save` or `restore NAME`. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
try {
  const config = readBackupConfig(readEnv(process.env));
  const command = 'node packages/runtime/src/backup.ts';
  process.exitCode = await runBackupProgram({
    args: process.argv.slice(2),
    commands: { save: `${command} save`, restore: `${command} restore` },
    find: async () => config,
    signal: stopping.signal,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
