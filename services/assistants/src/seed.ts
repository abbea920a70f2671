import { ConfigError, readEnv } from '@parley/runtime';
import { readSeedConfig } from './config.ts';
import { runSeedProgram } from './seed-program.ts';

/** The operator's program. Runs beside the assistants service, or anywhere that can reach it. */
try {
  const system = readSeedConfig(readEnv(process.env));
  process.exitCode = await runSeedProgram({
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    find: async () => system,
    unavailable: `The services at ${system.assistants} and ${system.conversations} do not answer.`,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
