/** Prepares everything that the project's own modules need to load. Plain JavaScript without dependencies. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { during, fail } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_FLOOR = [20, 19];
const INSTALL_WITHIN_MS = 15 * 60_000;

/** Exits with a message if this version of Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1])) return;
  fail(`Parley needs Node ${NODE_FLOOR.join('.')} or later; this is ${process.versions.node}. See https://nodejs.org/`);
}

/** Installs the packages in `package-lock.json`, unless `node_modules` is up to date. */
export async function installMissing() {
  if (isInstalled()) return;
  const { ok, output } = await during('Installing dependencies (once) …', () =>
    runProgram('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: ROOT, timeout: INSTALL_WITHIN_MS }),
  );
  if (ok) return;
  const reason = output.split('\n').slice(0, 4).join('\n');
  fail(`${reason}\nThe dependencies could not be installed. Is the npm registry reachable? Try: npm ci`);
}

/** Compares the lock file with the one that npm writes to `node_modules` at the end of an installation. */
function isInstalled() {
  const leftByNpm = join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(leftByNpm)) return false;
  const wanted = packagesOf(join(ROOT, 'package-lock.json'));
  const present = packagesOf(leftByNpm);
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    return found ? found.version === version && found.integrity === integrity : optional;
  });
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Runs a TypeScript program of this folder in this process, so that it receives signals directly. */
export async function runTs(program) {
  if (!process.features.typescript) await import('../../services/runtime/src/load-typescript.mjs');
  return import(new URL(program, import.meta.url));
}

/** Runs Jest with `args` and returns its exit code. */
export function runJest(args, env = process.env) {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, jest, ...args], { cwd: ROOT, stdio: 'inherit', env });
  process.on('SIGINT', () => {}); // The terminal also sends it to Jest, which decides when to stop.
  process.on('SIGTERM', () => child.kill());
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
