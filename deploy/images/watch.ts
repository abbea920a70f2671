/**
 * Runs the process of a `dev` image, and restarts it when a source changes. `node --watch` loses track of a file that is
 * replaced, which is how files are synced into a running container.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

const PLACES = ['proto', 'packages', 'services', 'gateway'].filter((folder) => existsSync(folder));
/** Files arrive one by one. */
const SETTLED_MS = 100;

const say = (line: string) => process.stderr.write(`${line}\n`);

function foldersIn(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

/** Resolves shortly after a change in the sources. */
async function change(): Promise<void> {
  let settled: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    const changed = () => {
      clearTimeout(settled);
      settled = setTimeout(() => {
        for (const watcher of watchers) watcher.close();
        resolve();
      }, SETTLED_MS);
    };
    const watchers = PLACES.flatMap(foldersIn).map((folder) => watch(folder, changed));
  });
}

function start(): ChildProcess {
  const child = spawn(process.execPath, ['main.ts'], { stdio: 'inherit' });
  child.once('exit', (code, signal) => say(`main.ts ended with ${code ?? signal}`));
  return child;
}

let child = start();
process.once('SIGTERM', async () => {
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  process.exit(0);
});
for (;;) {
  await change();
  say('A source has changed.');
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  child = start();
}
