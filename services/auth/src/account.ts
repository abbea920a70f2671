import { ConfigError, readEnv } from '@parley/runtime';
import { runAccountProgram } from './account-program.ts';
import { readOperatorConfig } from './config.ts';

/** The operator's program. Runs beside the auth service, or anywhere that can reach it. */
try {
  const system = readOperatorConfig(readEnv(process.env));
  process.exitCode = await runAccountProgram({
    args: process.argv.slice(2),
    command: 'node services/auth/src/account.ts',
    find: async () => system,
    away: `No auth service answers at ${system.auth}.`,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
