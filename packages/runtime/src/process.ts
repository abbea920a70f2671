import { ConfigError } from './env.ts';
import type { Log } from './log.ts';
import { misspelt } from './settings/misspelt.ts';
import { startTracing } from './telemetry/start-tracing.ts';

/** The process can't run, and a restart won't help. The message says what a person has to do. */
export class CannotRun extends Error {
  override name = 'CannotRun';
}

/** A part of a process. Components start in the order given and stop in reverse order. */
export interface Component {
  name: string;
  start?(signal: AbortSignal): Promise<void>;
  /** Resolves if the component can do its work now; rejects with the reason otherwise. Called by the readiness probe. */
  ready?(): Promise<void>;
  /** Resolves if what it needs is available, for metrics. Default: `ready`, which readiness depends on as well. */
  available?(): Promise<void>;
  stop?(): Promise<void>;
  /** How long `stop` may take, in milliseconds. Default: 20 seconds. */
  stopMs?: number;
  /** Rejects with CannotRun if the component finds that only after its start. Never resolves. */
  failed?: Promise<never>;
}

export interface Process {
  name: string;
  log: Log;
  /**
   * Resolves when all components run. Waits for unavailable dependencies and logs that it does. Rejects soon after `stop`
   * is called.
   */
  start(): Promise<void>;
  /** Rejects if a component finds after the start that the process can't go on. Never resolves. */
  failed: Promise<never>;
  /**
   * Why the process can't serve now; empty when it can.
   *
   * @param only the name of a component, if the others don't matter
   */
  unready(only?: string): Promise<string[]>;
  /**
   * Stops whatever has started, even during the start. Bounded: a component that does not stop in time is logged and left
   * behind. Idempotent.
   */
  stop(): Promise<void>;
}

const READY_MS = 2_000;
const STOP_MS = 20_000;
/** EX_CONFIG of sysexits.h: a person has to change something first. */
const EX_CONFIG = 78;

export function createProcess(name: string, log: Log, components: Component[]): Process {
  const running: Component[] = [];
  const starting = new AbortController();
  const failed = Promise.race(components.flatMap((component) => component.failed ?? []));
  failed.catch(() => {}); // Prevents an unhandled rejection when it fails before anyone awaits it.
  let started = false;
  let startUp: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  async function startAll() {
    for (const component of components) {
      starting.signal.throwIfAborted();
      running.push(component);
      await component.start?.(starting.signal);
    }
    starting.signal.throwIfAborted();
    started = true;
    log.info('started');
  }

  async function stopAll() {
    started = false;
    starting.abort(new Error(`${name} was stopped while it started`));
    // For the component that is still starting, wait for both its start and its stop.
    let startEnded = startUp?.catch(() => {});
    for (let component = running.pop(); component; component = running.pop()) {
      const { name, stopMs = STOP_MS } = component;
      const ended = Promise.all([startEnded, component.stop?.()]);
      startEnded = undefined;
      const late = `${name} did not stop within ${stopMs / 1000} s`;
      await within(stopMs, ended, late).catch((error) => log.error({ err: error }, 'a component did not stop cleanly'));
    }
    log.info('stopped');
  }

  return {
    name,
    log,
    failed,
    start() {
      startUp = startAll();
      return startUp;
    },
    async unready(only) {
      if (!started) return ['starting'];
      const asked = components.filter(({ name }) => only === undefined || name === only);
      if (only !== undefined && asked.length === 0) return [`there is no ${only} here`];
      const answers = await Promise.allSettled(
        asked.map((component) => within(READY_MS, component.ready?.(), `${component.name} did not answer in time`)),
      );
      return answers.flatMap((a) => (a.status === 'rejected' ? [String(a.reason?.message ?? a.reason)] : []));
    },
    stop() {
      stopped ??= stopAll();
      return stopped;
    },
  };
}

/** Settles as the promise does, or rejects with `message` after `ms`. */
export async function within<T>(ms: number, promise: Promise<T> | undefined, message: string): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles as `work` does, or rejects with the signal's reason once it aborts. For work that can't be cancelled. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The whole of a `main.ts`: starts, waits for SIGTERM or SIGINT, stops, exits. Names variables that look like misspelt
 * settings in the log. A signal during the start stops it at once
 * and is not a failure; a second signal exits immediately.
 */
export async function run(create: () => Process): Promise<void> {
  try {
    const endTracing = await startTracing(process.env);
    const service = create();
    for (const sentence of misspelt(process.env)) service.log.warn(sentence);
    const stopped = new Promise<number>((resolve) => {
      let stopping = false;
      function stop(code: number) {
        stopping = true;
        service.stop().finally(() => resolve(code));
      }
      function fail(error: unknown) {
        if (stopping) return;
        if (isForPerson(error)) service.log.fatal(error.message);
        else service.log.fatal({ err: error }, 'could not start');
        stop(isForPerson(error) ? EX_CONFIG : 1);
      }
      const obey = () => {
        process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1));
        if (!stopping) stop(0);
      };
      process.once('SIGTERM', obey).once('SIGINT', obey);
      service.start().catch(fail);
      service.failed.catch(fail);
    });
    const code = await stopped;
    await endTracing?.();
    process.exit(code);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EX_CONFIG);
  }
}

const isForPerson = (error: unknown): error is Error => error instanceof ConfigError || error instanceof CannotRun;
