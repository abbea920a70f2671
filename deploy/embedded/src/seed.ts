import { runSeedProgram } from '@parley/assistants';
import { readEnv } from '@parley/runtime';
import { readDataDir } from './config.ts';
import { readOrMakeSecret } from './data-dir.ts';
import { readEndpoints } from './endpoints.ts';

const dataDir = readDataDir(readEnv(process.env));
process.exitCode = await runSeedProgram({
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  async find() {
    const endpoints = await readEndpoints(dataDir);
    return endpoints && { ...endpoints, secret: await readOrMakeSecret(dataDir) };
  },
  unavailable: `No Parley runs on the data directory ${dataDir}. Start it with: npm start`,
});
