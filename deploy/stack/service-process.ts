import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from './server.ts';

/** A service, a trainer or the gateway in a separate process. */
export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** `http://host:port` of `/healthz`, `/readyz` and `/metrics`. */
  readonly ops: string;
  /** Settles when the current process has ended. */
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Stops it if it is running, and starts it again; resolves when it is alive, which is before it is ready. */
  restart(): Promise<void>;
  /** Returns whether it reports itself alive. */
  alive(): Promise<boolean>;
  /** Why it is not ready; empty if it is. */
  unready(): Promise<string>;
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  name: string;
  /** Path of its `main.ts`, relative to the root of the repository. */
  program: string;
  variables: Record<string, string>;
  /** Its operations port. */
  opsPort: number;
  /** The folder of its log. */
  logDir: string;
  /** Opens its debugger, on a free port that its log names. */
  inspect?: boolean;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASK_WITHIN_MS = 5_000;

/**
 * Starts it; when this resolves, it is alive, though its dependencies may still be unavailable.
 *
 * @throws Error with the end of its log if it can't start.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, program, variables, opsPort, logDir, inspect = false } = options;
  const ops = `http://127.0.0.1:${opsPort}`;
  const logFile = join(logDir, `${name}.log`);
  const alive = async () => (await ask(`${ops}/healthz`)).status === 200;
  const start = () =>
    startServer({
      name,
      command: process.execPath,
      args: [...(inspect ? ['--inspect=127.0.0.1:0'] : []), join(ROOT, program)],
      env: variables,
      logFile,
      answers: alive,
    });
  let server: Server = await start();
  return {
    name,
    logFile,
    ops,
    get pid() {
      return server.pid;
    },
    get exited() {
      return server.exited;
    },
    kill: (signal) => server.kill(signal),
    async restart() {
      await server.stop();
      server = await start();
    },
    alive,
    async unready() {
      const { status, text } = await ask(`${ops}/readyz`);
      return status === 200 ? '' : text.trim();
    },
    stop: () => server.stop(),
  };
}

/** Status 0 if there is no response. */
async function ask(url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_WITHIN_MS) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: `no answer (${(error as Error).message})` };
  }
}
