import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { HOSTILE } from '@parley/reading/testing';
import type { Process } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { residentMib, until } from '@parley/runtime/testing';
import { book } from '../testing/book.ts';
import { trainerWorld } from '../testing/trainer.ts';

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

test('a PDF of 1,600 pages takes little memory, has the right page numbers, and shows its progress', async () => {
  const trainer = world.spawnTrainer();
  let idle = 0;
  // Until everything is loaded.
  await until(
    () => {
      const before = idle;
      idle = residentMib(trainer.pid!);
      return before > 50 && Math.abs(idle - before) < 1;
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
      most = Math.max(most, residentMib(trainer.pid!));
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
  process.stdout.write(`idle ${Math.round(idle)} MiB, at most ${Math.round(most)} MiB\n`);
  expect(most - idle).toBeLessThan(450);
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
