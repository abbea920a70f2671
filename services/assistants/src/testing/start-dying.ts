import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childArguments, childClient } from './assistants.ts';

export interface Dying {
  replica: ReturnType<typeof childClient>;
  /** Resolves with `reached` once it has stopped at its step. */
  reached(): Promise<string>;
  /** kill -9; resolves when it is dead. */
  kill(): Promise<void>;
}

/** A replica in its own process that stops at a step. */
export async function startDying(step: string): Promise<Dying> {
  const child: ChildProcess = spawn(process.execPath, childArguments(step), { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const port = Number((await next()).slice('port '.length));
  return {
    replica: childClient(port),
    reached: next,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const dead = once(child, 'exit');
      child.kill('SIGKILL');
      await dead;
    },
  };
}
