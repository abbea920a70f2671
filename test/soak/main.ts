/**
 * Runs a mixed load on all of Parley, each service as a process of its own, restarts the processes, and judges whether memory
 * and latency stay flat, and whether anything is left over. `npm run soak -- --help` lists the options.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../bench/table.ts';
import type { Stops } from '../e2e/world.ts';
import { type Options, readOptions } from './options.ts';
import { report } from './report.ts';
import { soak } from './soak.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (interrupted.signal.aborted) process.exit(130);
    say('Ending; once more ends at once …');
    interrupted.abort();
  });

process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const options = read(args);
  if (!options) return 2;
  const dataDir = options.keep ? resolve(options.keep) : await mkdtemp(join(tmpdir(), 'parley-soak-'));
  await mkdir(dataDir, { recursive: true });
  const isMet = await run(options, dataDir);
  if (isMet && options.keep === undefined) await rm(dataDir, { recursive: true, force: true });
  else say(`Data and logs: ${dataDir}`);
  return isMet ? 0 : 1;
}

async function run(options: Options, dataDir: string): Promise<boolean> {
  const stops: Stops = [];
  try {
    const soaked = await soak({ ...options, dataDir, stops, say, signal: interrupted.signal });
    const { minutes, verdicts, names } = soaked;
    if (minutes.length > 0) say(`\n${report(minutes, verdicts, names)}`);
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(soaked, null, 2)}\n`);
    return verdicts.every(({ met }) => met !== false);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    return false;
  } finally {
    for (let stop = stops.pop(); stop; stop = stops.pop())
      await stop().catch((error) => say(`Stopping: ${error.message}`));
  }
}

function read(args: readonly string[]): Options | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}
