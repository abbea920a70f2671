import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Program<Ready> extends AsyncDisposable {
  /** Its report when it was ready. */
  ready: Ready;
  child: ChildProcess;
  pid: number;
  /** Ends it with SIGKILL. */
  kill(): Promise<unknown>;
}

/** On a busy machine. */
const START_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 20_000;

/** Runs a module in a separate process that ends with this one; `variables` are added to its environment. */
export async function startProgram<Ready>(
  module: URL,
  options: { args?: string[]; variables?: Record<string, string>; readyWithinMs?: number } = {},
): Promise<Program<Ready>> {
  const { args = [], variables = {}, readyWithinMs = START_WITHIN_MS } = options;
  const name = [basename(module.pathname, '.ts'), ...args.map((arg) => arg.replace(/\W.*/s, ''))].join('-');
  const logFile = join(tmpdir(), `parley-bench-${name}.log`);
  const log = await open(logFile, 'w');
  const child = fork(fileURLToPath(module), args, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
  });
  await log.close();
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}: see ${logFile}.`)));
  failed.catch(() => {});
  const message = once(child, 'message', { signal: AbortSignal.timeout(readyWithinMs) });
  const [ready] = await Promise.race([message, failed]);
  return {
    ready: ready as Ready,
    child,
    pid: child.pid!,
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
    async [Symbol.asyncDispose]() {
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      if (child.connected) child.disconnect();
      await ended;
      clearTimeout(force);
    },
  };
}

/** Tells the parent process that this one is ready. Ends when the parent closes standard input or ends. */
export function tellReady(ready: unknown, stop = async () => {}): void {
  process.once('disconnect', () => stop().finally(() => process.exit()));
  process.send!(ready);
}
