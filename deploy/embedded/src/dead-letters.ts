import { readEnv } from '@parley/runtime';
import { runDeadLettersProgram } from '@parley/runtime/bus';
import { readDataDir } from './config.ts';
import { readEndpoints } from './endpoints.ts';

const dataDir = readDataDir(readEnv(process.env));
process.exitCode = await runDeadLettersProgram({
  args: process.argv.slice(2),
  command: 'npm run dead-letters --',
  find: async () => (await readEndpoints(dataDir))?.bus,
  unavailable: `No Parley runs on the data directory ${dataDir}. Start it with: npm start`,
});
