import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  version?: string;
  hasInstallScript?: true;
  optionalDependencies?: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8'));
const locked: Record<string, LockedPackage> = read('package-lock.json').packages;

/** Where Node finds a dependency of the package at `path`: beside it, or in a parent folder. */
function resolveLocked(path: string, name: string): LockedPackage | undefined {
  for (let at = path; ; at = dirname(at) === '.' ? '' : dirname(at)) {
    const found = locked[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found || at === '') return found;
  }
}

test('the lock file has the packages of every platform, so that npm ci works on all of them', () => {
  const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) => (resolveLocked(path, name) ? [] : [`${path}: ${name}`])),
  );
  expect(missing).toEqual([]);
});

test('npm ci accepts the lock file', async () => {
  const args = ['ci', '--dry-run', '--offline', '--no-audit', '--no-fund'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT });
  expect(stdout).toBeDefined();
});

test('install scripts of dependencies do not run, and each has been reviewed', () => {
  expect(readFileSync(`${ROOT}/.npmrc`, 'utf8')).toMatch(/^ignore-scripts=true$/m);
  const withScript = Object.entries(locked).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );
  const reviewed = Object.entries(read('package.json').allowScripts);
  expect(reviewed.filter(([, allowed]) => allowed)).toEqual([]);
  expect(reviewed.map(([name]) => name)).toEqual(expect.arrayContaining([...new Set(withScript)]));
});
