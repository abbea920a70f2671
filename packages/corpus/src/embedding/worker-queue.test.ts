import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { EmbeddingUnavailable } from './embedder.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Answers each text with its position in the order of arrival; some texts trigger faults. */
const WORKER = `
  const { parentPort } = require('node:worker_threads');
  let order = 0;
  parentPort.postMessage('ready');
  parentPort.on('message', (text) => {
    if (text === 'crash') throw new Error('out of memory');
    if (text === 'exit') process.exit(3);
    parentPort.postMessage(Float32Array.of(order++));
  });
`;

function queueOf(source = WORKER) {
  return createWorkerQueue(
    () => new Worker(source, { eval: true }),
    (reason) => new Error(`unusable: ${reason}`),
  );
}

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
  ['crash', 'The embedding worker stopped: out of memory.'],
  ['exit', 'The embedding worker stopped: it ended with code 3.'],
])('a worker that dies (%s) rejects everything pending, and the next use starts another', async (accident, message) => {
  const queue = queueOf();
  const failed = [queue.run(['a', accident], 'batch'), queue.run(['b'], 'batch')];
  for (const outcome of await Promise.allSettled(failed))
    expect(outcome).toEqual({ status: 'rejected', reason: new EmbeddingUnavailable(message) });
  expect(order(await queue.run(['c'], 'query'))).toEqual([0]);
  await queue.close();
});

test('a worker that cannot start is reported as unusable, not as unavailable', async () => {
  const queue = queueOf(`throw new Error('no such file')`);
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

test('closing lets a busy worker finish its text: its native code must not be interrupted', async () => {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage('ready');
    parentPort.on('message', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.wait(workerData, 0, 1, 300);
      Atomics.store(workerData, 1, 1);
      parentPort.postMessage(Float32Array.of(0));
    });
  `;
  const queue = createWorkerQueue(
    () => new Worker(source, { eval: true, workerData: shared }),
    (reason) => new Error(`unusable: ${reason}`),
  );
  const running = queue.run(['a', 'b'], 'batch');
  const refused = expect(running).rejects.toThrow('The embedder is closed.');
  await until(() => Atomics.load(shared, 0) === 1);
  await queue.close();
  await refused;
  expect(Atomics.load(shared, 1)).toBe(1);
});
