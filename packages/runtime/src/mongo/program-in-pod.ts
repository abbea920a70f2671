import { ConfigError, readEnv } from '../env.ts';
import { readMongo } from '../service-config.ts';
import type { MongoProgram } from './program.ts';

/** The whole of a file that runs an operators' program in a pod: it reads the settings of the pod's own process. */
export async function runInPod(command: string, program: (program: MongoProgram) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await program({
      args: process.argv.slice(2),
      command,
      find: async (service) => readMongo(readEnv(process.env), service),
      unavailable: "MongoDB does not answer, or does not let this pod read that service's database.",
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 78; // EX_CONFIG of sysexits.h
  }
}
