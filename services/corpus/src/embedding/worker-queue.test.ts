import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { EmbeddingUnavailable } from './embedder.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Answers each text with its place in the order of arrival; some texts stand for accidents. */
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

test('a query overtakes the batches that wait and the rest of the one that runs', async () => {
  const queue = queueOf();
  const batches = [queue.run(['a', 'b', 'c'], 'batch'), queue.run(['d'], 'batch')];
  const query = queue.run(['q'], 'query');
  expect(order(await query)).toEqual([1]);
  expect((await Promise.all(batches)).map(order)).toEqual([[0, 2, 3], [4]]);
  await queue.close();
});

test('an aborted batch rejects with the reason and leaves its place to the next', async () => {
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
])(
  'a worker that dies (%s) rejects what it held and what waited, and the next use starts another',
  async (accident, message) => {
    const queue = queueOf();
    const failed = [queue.run(['a', accident], 'batch'), queue.run(['b'], 'batch')];
    for (const outcome of await Promise.allSettled(failed))
      expect(outcome).toEqual({ status: 'rejected', reason: new EmbeddingUnavailable(message) });
    expect(order(await queue.run(['c'], 'query'))).toEqual([0]);
    await queue.close();
  },
);

test('a worker that cannot start is reported as unusable, not as away', async () => {
  const queue = queueOf(`throw new Error('no such file')`);
  const failure = await queue.run(['a'], 'query').catch((error: unknown) => error);
  expect(failure).toEqual(new Error('unusable: no such file'));
  expect(failure).not.toBeInstanceOf(EmbeddingUnavailable);
});

test('the queue is bounded, and closing it rejects whoever waits', async () => {
  const queue = queueOf();
  const waiting = Promise.allSettled(Array.from({ length: 64 }, () => queue.run(['a'], 'batch')));
  await expect(queue.run(['b'], 'batch')).rejects.toThrow('Too many texts wait');
  await queue.close();
  expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
  await expect(queue.run(['c'], 'query')).rejects.toThrow('The embedder is closed.');
});
