import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { EmbeddingUnavailable } from './embedder.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Answers each text with its position in the order of arrival; some texts trigger faults. */
const PROGRAM = `
  let order = 0;
  process.send('ready');
  process.on('disconnect', () => process.exit());
  process.on('message', (text) => {
    if (text === 'crash') return process.send({ failed: 'out of memory' });
    if (text === 'exit') process.exit(3);
    if (text !== 'forever') process.send(Float32Array.of(order++));
  });
`;

const started: ChildProcess[] = [];
function start(source: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', source], {
    ...{ stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' },
  });
  started.push(child);
  return child;
}
const queueOf = (source = PROGRAM, idleMs?: number) =>
  createWorkerQueue(
    () => start(source),
    (reason) => new Error(`unusable: ${reason}`),
    idleMs,
  );
afterAll(() => Promise.all(started.map(hasEnded)));
const hasEnded = async (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || (await once(child, 'exit'));

const order = (vectors: Float32Array[]) => vectors.map(([place]) => place);

test('a query overtakes waiting batches and the rest of the running one', async () => {
  const queue = queueOf();
  const batches = [queue.run(['a', 'b', 'c'], 'batch'), queue.run(['d'], 'batch')];
  const query = queue.run(['q'], 'query');
  expect(order(await query)).toEqual([1]);
  expect((await Promise.all(batches)).map(order)).toEqual([[0, 2, 3], [4]]);
  await queue.close();
});

test('an aborted batch rejects with the reason and makes way for the next', async () => {
  const queue = queueOf();
  const giveUp = new AbortController();
  const aborted = queue.run(['a', 'b', 'c'], 'batch', giveUp.signal);
  const next = queue.run(['d'], 'batch');
  giveUp.abort(new Error('lease lost'));
  await expect(aborted).rejects.toThrow('lease lost');
  expect(order(await next)).toEqual([1]);
  await expect(queue.run(['e'], 'query', giveUp.signal)).rejects.toThrow('lease lost');
  await queue.close();
});

test.each([
  ['crash', 'The embedding process stopped: out of memory.'],
  ['exit', 'The embedding process stopped: it ended with code 3.'],
])(
  'a process that dies (%s) rejects everything pending, and the next use starts another',
  async (accident, message) => {
    const queue = queueOf();
    const failed = [queue.run(['a', accident], 'batch'), queue.run(['b'], 'batch')];
    for (const outcome of await Promise.allSettled(failed))
      expect(outcome).toEqual({ status: 'rejected', reason: new EmbeddingUnavailable(message) });
    expect(order(await queue.run(['c'], 'query'))).toEqual([0]);
    await queue.close();
  },
);

test('a process that cannot start is reported as unusable, not as unavailable', async () => {
  const queue = queueOf(`process.send({ failed: 'no such file' }, () => process.exit(1))`);
  const failure = await queue.run(['a'], 'query').catch((error: unknown) => error);
  expect(failure).toEqual(new Error('unusable: no such file'));
  expect(failure).not.toBeInstanceOf(EmbeddingUnavailable);
});

test('the queue is bounded, and closing it rejects whoever waits', async () => {
  const queue = queueOf();
  const waiting = Promise.allSettled(Array.from({ length: 64 }, () => queue.run(['a'], 'batch')));
  await expect(queue.run(['b'], 'batch')).rejects.toThrow('Too many texts are waiting');
  await queue.close();
  expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
  await expect(queue.run(['c'], 'query')).rejects.toThrow('The embedder is closed.');
});

test('closing ends a busy process at once', async () => {
  const queue = queueOf();
  const running = queue.run(['a', 'forever'], 'batch');
  const refused = expect(running).rejects.toThrow('The embedder is closed.');
  expect(order(await queue.run(['b'], 'query'))).toEqual([1]);
  await queue.close();
  await refused;
  expect(started.at(-1)!.signalCode).toBe('SIGKILL');
});

test('a process with nothing to do ends, and the next text starts another', async () => {
  const queue = queueOf(PROGRAM, 1);
  expect(order(await queue.run(['a', 'b'], 'batch'))).toEqual([0, 1]);
  await hasEnded(started.at(-1)!);
  expect(order(await queue.run(['c'], 'query'))).toEqual([0]);
  await queue.close();
});
