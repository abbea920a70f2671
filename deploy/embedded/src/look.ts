import { readEnv } from '@parley/runtime';
import type { MongoProgram } from '@parley/runtime/mongo';
import { readDataDir } from './config.ts';
import { readEndpoints } from './endpoints.ts';

/** Runs an operators' program on the database of the system that runs on the data directory. */
export async function look(command: string, program: (program: MongoProgram) => Promise<number>): Promise<void> {
  const dataDir = readDataDir(readEnv(process.env));
  process.exitCode = await program({
    args: process.argv.slice(2),
    command,
    find: async (service) => (await readEndpoints(dataDir))?.databases[service],
    unavailable: `No Parley runs on the data directory ${dataDir}. Start it with: npm start`,
  });
}
