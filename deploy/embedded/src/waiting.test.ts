import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../stack/server.ts';
import { runProgram } from './main.fixture.ts';

/** A start that waits for a MongoDB that does not respond. */
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-waiting-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const children: ChildProcess[] = [];
/** On a busy machine, loading the modules alone takes half a minute. */
const START_WITHIN_MS = 100_000;
jest.setTimeout(2 * START_WITHIN_MS);

test('a MongoDB that does not respond is reported without JSON or a stack, and SIGTERM ends the wait', async () => {
  const MONGODB_URI = `mongodb://user:very-secret@127.0.0.1:${await freePort()}`;
  const { child, lines, ended } = runProgram('main.ts', [], {
    PARLEY_DATA: dataDir,
    MONGODB_URI,
    LOG_LEVEL: '',
  });
  children.push(child);
  await until(
    () => lines.some((line) => line.startsWith('MongoDB does not respond at 127.0.0.1:')),
    Boolean,
    START_WITHIN_MS,
  );
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toMatch(/[{}]|very-secret|\n\s+at /);
});

test('when SIGTERM ends npm, the process that it started ends too', async () => {
  const MONGODB_URI = `mongodb://127.0.0.1:${await freePort()}`;
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, PARLEY_DATA: dataDir, PORT: '0', MONGODB_URI },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(npm);
  let printed = '';
  npm.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await until(() => printed.includes('MongoDB does not respond'), Boolean, START_WITHIN_MS);
  const allEnded = once(npm, 'close'); // Of whatever holds its standard output.
  npm.kill('SIGTERM');
  await allEnded;
});
