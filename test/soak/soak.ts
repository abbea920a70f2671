import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog, createMetrics } from '@parley/runtime';
import { openBus } from '@parley/runtime/bus';
import { MongoClient } from 'mongodb';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/processes.ts';
import { type Stack, startStack } from '../../deploy/stack/start-stack.ts';
import { seeded } from '../bench/answers/bootstrap.ts';
import { localModelDir } from '../bench/local-model.ts';
import type { Stops } from '../e2e/world.ts';
import { hearEnds } from '../stack/whole.ts';
import { cleanUp } from './clean-up.ts';
import { operatorOf } from './load/operator.ts';
import { startTenants } from './load/tenants.ts';
import type { Minute } from './minute.ts';
import type { Options } from './options.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { lineOf } from './report.ts';
import { restartInTurn } from './restarts.ts';
import { watchMachine } from './sampling/machine.ts';
import { type Sampled, watchProcesses } from './sampling/processes.ts';
import { storedDocuments, storedFiles } from './sampling/stored.ts';
import { judge, type Verdict } from './verdicts.ts';

export interface Soaked {
  minutes: Minute[];
  verdicts: Verdict[];
  /** The processes that are judged. */
  names: string[];
}

export interface SoakOptions extends Options {
  dataDir: string;
  /** Ends the load early; what follows it still happens. */
  signal: AbortSignal;
  say(line: string): void;
  /** Functions that stop what was started, to be called last first. */
  stops: Stops;
}

const MINUTE_MS = 60_000;
/** Accounts that follow each other in one place, however long the run is. */
const LIVES = 6;
/** Restarts of each process, all in the first half of the run, so that memory and latency can be judged in the second. */
const ROUNDS = 3;
const LEAST_RESTART_MS = 10_000;

/** Runs the load, and then looks at what is left of it. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { dataDir, say, stops, signal } = options;
  const stack = await start(options);
  const mongo = new MongoClient(stack.variables['MONGODB_URI']!);
  stops.push(() => mongo.close());
  const bus = openBus(stack.endpoints.bus, createLog('soak', 'silent'), createMetrics());
  const ends = hearEnds(bus);
  await bus.start?.();
  stops.push(async () => bus.stop());
  const recorder = createRecorder();
  const operator = operatorOf(stack, recorder);
  stops.push(async () => operator[Symbol.asyncDispose]());

  const names = Object.keys(stack.processes).sort((a, b) => placeOf(a) - placeOf(b));
  const watched = watchProcesses(sampledOf(stack));
  stops.push(watched.stop);
  const machine = watchMachine();
  const world = { recorder, mongo, ends, open: operator.open };
  const baseUrl = stack.endpoints.gateway;
  const lifeMs = Math.max(MINUTE_MS, (options.minutes * MINUTE_MS) / LIVES);
  const tenants = startTenants({ world, operator, baseUrl, random: seeded(options.seed) }, lifeMs);
  stops.push(tenants.rest);
  const restarts: string[] = [];
  const ended = new AbortController();
  const restarting = restartInTurn({
    ...{ recorder, rounds: ROUNDS, processes: names.map((name) => stack.processes[name]!) },
    everyMs: Math.max(LEAST_RESTART_MS, (options.minutes * MINUTE_MS) / 2 / (ROUNDS * names.length)),
    signal: AbortSignal.any([signal, ended.signal]),
    onRestart: (name, ending) => void restarts.push(`${name} ${ending}`),
  });
  restarting.catch(() => {}); // Awaited below.

  const minutes: Minute[] = [];
  for (let minute = 1; minute <= options.minutes && !signal.aborted; minute++) {
    await pause(MINUTE_MS, undefined, { signal }).catch(() => {});
    minutes.push({
      ...{ minute, ...recorder.take(), restarts: restarts.splice(0), processes: watched.take() },
      machine: machine(),
      collections: await storedDocuments(mongo),
      files: await storedFiles(join(dataDir, 'objects')),
    });
    say(lineOf(minutes.at(-1)!));
  }
  ended.abort();
  await restarting;
  await watched.stop();
  const left = await cleanUp({ mongo, dataDir, tenants, stack, recorder, leaders: watched.pids(), say });
  return { minutes, names, verdicts: [...clients(recorder), ...judge(minutes, names), ...left] };
}

async function start({ dataDir, embeddings, stops, say }: SoakOptions): Promise<Stack> {
  const TMPDIR = join(dataDir, 'tmp');
  await mkdir(TMPDIR, { recursive: true });
  const model: Record<string, string> = embeddings
    ? { EMBEDDINGS: 'local', EMBEDDING_MODEL_DIR: await localModelDir() }
    : { EMBEDDINGS: 'none' };
  const variables = {
    ...{ CRAWL_ALLOW: '127.0.0.0/8', CRAWL_DELAY_MS: '0', OPENAI_BASE_URL: '', OPENAI_API_KEY: '' },
    // Revoked keys are tried out, from one address.
    AUTH_FAILURES_PER_MINUTE: '0',
    ...{ LOG_LEVEL: 'warn', TMPDIR, ...model },
  };
  const stack = await startStack({ dataDir, variables, trainers: 1, embedded: true, say });
  stops.push(stack.stop);
  return stack;
}

function sampledOf({ processes, engine }: Stack): Sampled[] {
  const others = [
    { name: 'database', pid: engine!.pid },
    { name: 'load', pid: process.pid },
  ];
  return [...Object.values(processes), ...others];
}

/** In the table of processes; instances of one are numbered. */
const placeOf = (name: string) => PROCESS_NAMES.indexOf(name.replace(/-\d+$/, '') as ProcessName);

const SHOWN = 10;

function clients({ errors, losses, totals }: Recorder): Verdict[] {
  const some = (all: readonly string[]) =>
    all
      .slice(0, SHOWN)
      .map((each) => `\n  ${each}`)
      .join('');
  return [
    {
      criterion: 'no errors',
      met: totals.errors === 0,
      says: `${totals.errors} errors in ${totals.requests} requests; ${totals.retried} were sent again around restarts.${some(errors)}`,
    },
    {
      criterion: 'nothing acknowledged is lost or stored twice',
      met: losses.length === 0,
      says: `${losses.length} losses.${some(losses)}`,
    },
  ];
}
