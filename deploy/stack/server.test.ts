import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { freePort, startServer } from './server.ts';

const directory = await mkdtemp(join(tmpdir(), 'parley-server-'));
afterAll(() => rm(directory, { recursive: true }));
const logFile = join(directory, 'server.log');

/** Node as a server that listens on a port. */
const listening = (port: number) => ({
  name: 'The server',
  command: process.execPath,
  args: ['-e', `console.log('hello'); require('net').createServer().listen(${port}, '127.0.0.1')`],
  logFile,
  answers: () => answers(port),
});

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() === socket));
    socket.once('error', () => resolve(false));
  });

test('a server has started when it responds and stopped when it is gone, and can be stopped while it hangs', async () => {
  const port = await freePort();
  const server = await startServer(listening(port));
  expect(await answers(port)).toBe(true);
  expect(await readFile(logFile, 'utf8')).toContain('hello');
  server.kill('SIGSTOP');
  await server.stop();
  expect(await answers(port)).toBe(false);
});

test('a server that exits while starting gives an error with the end of its log', async () => {
  const args = ['-e', 'console.error("the port is taken"); process.exit(3)'];
  const failing = startServer({ name: 'Kafka', command: process.execPath, args, logFile, answers: async () => false });
  await expect(failing).rejects.toThrow(/^Kafka could not start: it ended with code 3\.[\s\S]*the port is taken/);
});

test('a program that is not installed gives an error that names it', async () => {
  const missing = startServer({ ...listening(0), command: 'no-such-program' });
  await expect(missing).rejects.toThrow(/no-such-program/);
});

test('a server ends with the program that started it, even after kill -9', async () => {
  const port = await freePort();
  const module = new URL('./server.ts', import.meta.url).href;
  const { answers: _, ...options } = listening(port);
  const program = `
    import { connect } from 'node:net';
    const { startServer } = await import(${JSON.stringify(module)});
    const answers = () => new Promise((resolve) => {
      connect(${port}, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    });
    await startServer({ ...${JSON.stringify(options)}, answers });
    process.kill(process.pid, 'SIGKILL');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: 'inherit',
  });
  const [, signal] = await once(parent, 'exit');
  expect(signal).toBe('SIGKILL');
  await until(
    () => answers(port),
    (answered) => !answered,
  );
});
