import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { HOSTILE } from '@parley/reading/testing';
import type { Process } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { book } from '../testing/book.ts';
import { trainerWorld } from '../testing/trainer.ts';

const MIB = 1024 * 1024;
let world: Awaited<ReturnType<typeof trainerWorld>>;
let running: Process | undefined;

beforeAll(async () => {
  world = await trainerWorld();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await world.reset();
});
afterAll(() => world.close());

/** A process and those that it started. */
function tree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(tree)];
  } catch {
    return []; // it has ended
  }
}

/** Resident bytes of a process and those that it started. */
const memoryOf = (pid: number): number =>
  tree(pid).reduce((sum, each) => {
    try {
      return sum + Number(readFileSync(`/proc/${each}/statm`, 'utf8').split(' ')[1]) * 4096;
    } catch {
      return sum;
    }
  }, 0);

test('a PDF of 1,600 pages takes little memory, has the right page numbers, and shows its progress', async () => {
  const trainer = world.spawnTrainer();
  let idle = 0;
  // Until everything is loaded.
  await until(
    () => {
      const before = idle;
      idle = memoryOf(trainer.pid!);
      return before > 50 * MIB && Math.abs(idle - before) < MIB;
    },
    Boolean,
    60_000,
    1_000,
  );
  let most = 0;
  let progress = 0;
  const { _id } = await world.document('application/pdf', book(1_600), 'book.pdf');
  const item = await until(
    async () => {
      most = Math.max(most, memoryOf(trainer.pid!));
      const found = (await world.stored(_id))!;
      const { sources_done, sources_found } = found.training.progress;
      if (found.training.state === 'running' && sources_done > 0 && sources_found === 1_600) progress++;
      return found;
    },
    (found) => found.training.state === 'idle',
    240_000,
    100,
  );
  expect(item).toMatchObject({ training_failed_with: null, training_notes: [], live: { sources: 1_600 } });
  expect(progress).toBeGreaterThan(2);
  for (const { title, text } of await world.chunks(_id)) {
    const page = /ledger (\d+) weighs/.exec(text)?.[1];
    expect(title).toBe(`book.pdf, page ${page}`);
  }
  process.stdout.write(`idle ${Math.round(idle / MIB)} MiB, at most ${Math.round(most / MIB)} MiB\n`);
  expect((most - idle) / MIB).toBeLessThan(450);
}, 300_000);

test.each(HOSTILE)(
  '$what fails with a sentence, and a neighbour trains meanwhile',
  async ({ type, file, sentence }) => {
    running = await world.startTrainer({}, { concurrency: 2, documentMs: 10_000 });
    const hostile = await world.document(type, file());
    const neighbour = await world.document('text/plain', Buffer.from('Rye is sown in autumn.'), 'rye.txt', randomId());
    expect(await world.ended(neighbour._id)).toMatchObject({ training_failed_with: null, live: { chunks: 1 } });
    expect(await world.ended(hostile._id)).toMatchObject({
      live: null,
      training_failed_with: expect.stringMatching(sentence),
    });
  },
  120_000,
);
