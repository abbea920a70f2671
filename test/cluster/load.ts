import { type Runner, runUntil } from './runner.ts';
import { STACK_FILE } from './suite.ts';

interface Load {
  succeeded: number;
  failed: number;
  slowestMs: number;
  failures: string[];
}

const LOAD_WITHIN_MS = 30 * 60_000;
const START_WITHIN_MS = 120_000;

/** Limits the rate to what one pod of each kind can handle, even on a small machine. */
const BUSY = { clients: 6, pauseMs: 50 };

/** Runs `work` while clients send requests continuously. Rejects if a request failed; returns how many succeeded. */
export async function underLoad(
  runner: Runner,
  work: () => Promise<unknown>,
  { clients, pauseMs } = BUSY,
): Promise<string> {
  const started = { word: 'started', timeoutMs: LOAD_WITHIN_MS };
  const variables = { PARLEY_STACK: STACK_FILE, CLIENTS: `${clients}`, PAUSE_MS: `${pauseMs}` };
  const running = runUntil(runner, 'test/cluster/pod/load.ts', variables, started);
  const load = await Promise.race([running, late()]);
  try {
    await work();
  } catch (error) {
    await load.end();
    throw error;
  }
  const lastLine = (await load.end()).trim().split('\n').at(-1)!;
  const { succeeded, failed, slowestMs, failures }: Load = JSON.parse(lastLine);
  if (failed > 0) throw new Error(`${failed} of ${succeeded + failed} requests failed:\n${failures.join('\n')}`);
  return `${succeeded} requests, 0 failed, the slowest took ${slowestMs} ms`;
}

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(new Error(`The load did not start in ${START_WITHIN_MS / 1000} s`)),
      START_WITHIN_MS,
    ).unref();
  });
