// Reads what Jest and the other tests of `.ci/run` have left in a folder.
//   failed FILE   the test files of a run that failed, one a line
//   count FOLDER  the closing line: what passed and failed in all runs, where a second try counts instead of the first
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** By test file, the numbers of tests. A file that could not run is one failure. */
function resultsOf(path) {
  if (!existsSync(path)) return undefined;
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(
    testResults.map(({ name, status, assertionResults }) => {
      const count = (wanted) => assertionResults.filter((one) => one.status === wanted).length;
      const failed = Math.max(count('failed'), status === 'failed' ? 1 : 0);
      return [name, { passed: count('passed'), failed }];
    }),
  );
}

const failedIn = (results) => [...results].filter(([, { failed }]) => failed > 0).map(([name]) => name);

function countJest(folder, name) {
  const first = resultsOf(join(folder, name));
  // Where the tests could not begin, that is one failure.
  if (!first) return { passed: 0, failed: 1 };
  const all = new Map([...first, ...(resultsOf(join(folder, `${name}-again`)) ?? [])]);
  return sum([...all.values()]);
}

/** Of a program that closes with a line `N passed, N failed`; absent if it did not begin. */
function countLine(folder, name) {
  const path = join(folder, name);
  if (!existsSync(path)) return { passed: 0, failed: 0 };
  const [, passed = 0, failed = 1] =
    [...readFileSync(path, 'utf8').matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

const sum = (counts) => ({
  passed: counts.reduce((all, { passed }) => all + passed, 0),
  failed: counts.reduce((all, { failed }) => all + failed, 0),
});

const [command, path] = process.argv.slice(2);
if (command === 'failed') {
  const results = resultsOf(path) ?? new Map();
  for (const name of failedIn(results)) process.stdout.write(`${relative(process.cwd(), name)}\n`);
} else {
  const jest = ['test', 'stack'].map((name) => countJest(path, name));
  const others = ['attack', 'check', 'cluster'].map((name) => countLine(path, name));
  const { passed, failed } = sum([...jest, ...others]);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
}
