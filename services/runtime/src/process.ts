import { ConfigError } from './env.ts';
import type { Log } from './log.ts';

/** Something that a process is made of. Components start in the order given and stop in the reverse order. */
export interface Component {
  name: string;
  start?(signal: AbortSignal): Promise<void>;
  /** Resolves when the component can do its work now; rejects with the reason otherwise. Asked by readiness. */
  ready?(): Promise<void>;
  stop?(): Promise<void>;
  /** How long `stop` may take, in milliseconds; 20 seconds where it does not say. */
  stopMs?: number;
}

export interface Process {
  name: string;
  log: Log;
  /** Settles when all components run. Where a dependency is away it waits, and says so in the log. */
  start(): Promise<void>;
  /** Why the process can't serve now; empty when it can. */
  unready(): Promise<string[]>;
  /** Bounded: a component that does not stop in time is left behind, with a line in the log. */
  stop(): Promise<void>;
}

const READY_MS = 2_000;
const STOP_MS = 20_000;

export function createProcess(name: string, log: Log, components: Component[]): Process {
  const running: Component[] = [];
  const starting = new AbortController();
  let started = false;

  return {
    name,
    log,
    async start() {
      for (const component of components) {
        if (starting.signal.aborted) throw new Error(`${name} was stopped while it started`);
        running.push(component);
        await component.start?.(starting.signal);
      }
      started = true;
      log.info('started');
    },
    async unready() {
      if (!started) return ['starting'];
      const answers = await Promise.allSettled(
        components.map((component) =>
          within(READY_MS, component.ready?.(), `${component.name} did not answer in time`),
        ),
      );
      return answers.flatMap((a) => (a.status === 'rejected' ? [String(a.reason?.message ?? a.reason)] : []));
    },
    async stop() {
      started = false;
      starting.abort();
      for (let component = running.pop(); component; component = running.pop()) {
        const { name, stopMs = STOP_MS } = component;
        const late = `${name} did not stop within ${stopMs / 1000} s`;
        await within(stopMs, component.stop?.(), late).catch((error) => log.error({ err: error }, 'stopping'));
      }
      log.info('stopped');
    },
  };
}

/** Rejects with `message` when the promise has not settled after `ms`. */
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

/** The whole of a `main.ts`: starts, waits for SIGTERM or SIGINT, stops, ends. A second signal ends at once. */
export async function run(create: () => Process): Promise<void> {
  try {
    const service = create();
    const stopped = new Promise<void>((resolve) => {
      const stop = () => {
        process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1));
        service.stop().then(resolve);
      };
      process.once('SIGTERM', stop).once('SIGINT', stop);
    });
    service.start().catch((error) => {
      service.log.fatal({ err: error }, 'could not start');
      service.stop().finally(() => process.exit(1));
    });
    await stopped;
    process.exit(0);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(78); // EX_CONFIG of sysexits.h
  }
}
