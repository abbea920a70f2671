import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { startReaderProcess } from '@parley/runtime/sandbox';
import { until } from '@parley/runtime/testing';
import { MODULE as jobs } from './readers.ts';
import { MANY_ATTRIBUTES, pageOf } from './testing/hostile.ts';

const never = new AbortController().signal;

/** A column of `ps` for one process; empty when it has ended. */
async function ps(pid: number, column: string, ...flags: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', [...flags, '-o', `${column}=`, '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

async function isRunning(pid: number): Promise<boolean> {
  const state = await ps(pid, 'stat');
  return state !== '' && !state.startsWith('Z');
}

test('a busy reader ends with its parent, even if the parent is killed', async () => {
  const program = fileURLToPath(new URL('./testing/orphan.ts', import.meta.url));
  const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  expect(await isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await until(async () => !(await isRunning(pid)));
});

test('a reader has an empty environment, and a lower priority if requested', async () => {
  process.env['READER_TEST_SECRET'] = 'of the parent';
  const reader = startReaderProcess({ jobs, memoryMb: 256, niceness: 5 });
  await reader.run({ name: 'page', input: pageOf('<p>ready') }, 60_000, never);
  expect(await ps(reader.pid!, 'command', 'eww')).not.toContain('READER_TEST_SECRET');
  expect(Number(await ps(reader.pid!, 'nice'))).toBeGreaterThan(Number(await ps(process.pid, 'nice')));
  await reader.kill();
  delete process.env['READER_TEST_SECRET'];
});

test('the environment of a reader that reads a document holds no secret, as the system sees it', async () => {
  process.env['READER_TEST_SECRET'] = 'of the parent';
  const reader = startReaderProcess({ jobs, memoryMb: 256 });
  const text = Buffer.from('Rye is sown in autumn.');
  const limits = { pages: 1, rows: 1, characters: 1_000 };
  await Promise.all([
    reader.run({ name: 'openDocument', input: { type: 'text/plain', bytes: text.length, limits } }, 60_000, never),
    reader.pass(Readable.from([text]), never),
  ]);
  expect(await reader.run({ name: 'nextParts', input: {} }, 60_000, never)).toMatchObject({
    parts: [{ texts: [{ text: text.toString() }] }],
  });
  const variables = readFileSync(`/proc/${reader.pid}/environ`, 'utf8').split('\0').filter(Boolean);
  // Only how it talks to its parent.
  expect(variables.map((variable) => variable.split('=')[0]).sort()).toEqual([
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
  ]);
  const sockets = readdirSync(`/proc/${reader.pid}/fd`).map((fd) => readlinkSync(`/proc/${reader.pid}/fd/${fd}`));
  expect(sockets.filter((target) => /tcp|udp|inet/i.test(target))).toEqual([]);
  await reader.kill();
  delete process.env['READER_TEST_SECRET'];
});

test('a process whose resident memory exceeds its limit ends, even outside the heap', async () => {
  const reader = startReaderProcess({ jobs, memoryMb: 64 });
  const bytes = 1024 * 1024 * 1024;
  const limits = { pages: 1, rows: 1, characters: 1_000 };
  const zeros = Readable.from(
    (function* () {
      for (let sent = 0; sent < bytes; sent += 1024 * 1024) yield Buffer.alloc(1024 * 1024, 1);
    })(),
  );
  const job = reader.run({ name: 'openDocument', input: { type: 'text/plain', bytes, limits } }, 120_000, never);
  const passing = reader.pass(zeros, never).catch(() => {});
  await expect(job).rejects.toMatchObject({ name: 'ReadingFailed', reason: 'memory' });
  await passing;
});

test('killing a reader ends it, busy or not, and fails its job', async () => {
  const reader = startReaderProcess({ jobs, memoryMb: 256 });
  await reader.run({ name: 'page', input: pageOf('<p>ready') }, 60_000, never);
  const job = reader.run({ name: 'page', input: pageOf(MANY_ATTRIBUTES) }, 600_000, never);
  await Promise.all([reader.kill(), expect(job).rejects.toThrow(Error)]);
  expect(reader.isAlive).toBe(false);
  expect(await isRunning(reader.pid!)).toBe(false);
});
