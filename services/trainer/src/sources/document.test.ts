import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sample, writePdf } from '@parley/reading/testing';
import type { Process } from '@parley/runtime';
import type { TrainerConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { book } from '../testing/book.ts';
import { countingEmbedders } from '../testing/counting-embedders.ts';
import { trainerWorld } from '../testing/trainer.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
const running: Process[] = [];

beforeAll(async () => {
  world = await trainerWorld();
});
afterEach(async () => {
  for (const trainer of running.splice(0)) await trainer.stop();
  await world.reset();
});
afterAll(() => world.close());

async function start(settings: Partial<TrainerConfig> = {}, overrides: Partial<Dependencies> = {}) {
  const trainer = await world.startTrainer(overrides, settings);
  running.push(trainer);
}

test('a document that has not changed is embedded once, however often it is trained', async () => {
  const counting = countingEmbedders();
  await start({}, { embedders: counting.embedders });
  const { _id } = await world.document('application/pdf', book(9));
  const { live } = await world.ended(_id);
  expect(counting.embedded).toBe(live!.chunks);
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: counting.embedded } });
  expect(counting.embedded).toBe(live!.chunks);
});

test('pages that can not be read are recorded with the reason, and the others are searched', async () => {
  // Its number of pieces ends the broken page, however slow the machine is.
  await start({ documentMs: 240_000 });
  const broken = { content: Buffer.from('BT /F1 9 Tf (a) Tj ET\n'.repeat(250_000)) };
  const { _id } = await world.document(
    'application/pdf',
    writePdf([['Rye is sown.'], broken, [], ['It is cut.']]),
    'rye.pdf',
  );
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: null,
    training_notes: [
      expect.stringMatching(/^1 of the 4 pages .* read/),
      expect.stringMatching(/^1 of the 4 pages has no text/),
    ],
    live: { sources: 2 },
  });
  const parts = await world.subPages(_id);
  expect(
    parts.map(({ name, title, chunks, training_failed_with: failed, training_note: note }) => [
      name,
      title,
      chunks,
      failed ?? note,
    ]),
  ).toEqual([
    ['page 1', 'rye.pdf, page 1', 1, undefined],
    ['page 2', 'rye.pdf, page 2', 0, expect.stringContaining('pieces of text')],
    ['page 3', 'rye.pdf, page 3', 0, 'It has no text.'],
    ['page 4', 'rye.pdf, page 4', 1, undefined],
  ]);
});

test('each limit of a document is said in its notes, and what came before is searched', async () => {
  await start({ documentLimits: { pages: 2, rows: 3, characters: 10_000 } });
  const trained = async (...document: Parameters<typeof world.document>) =>
    world.ended((await world.document(...document))._id);
  expect(await trained('application/pdf', book(3))).toMatchObject({
    training_notes: [expect.stringMatching(/first 2 of the 3 pages.*DOCUMENT_MAX_PAGES/)],
    live: { sources: 2 },
  });
  const table = Buffer.from(`item,price\n${'tea,4\n'.repeat(9)}`);
  expect(await trained('text/csv', table)).toMatchObject({
    training_notes: [expect.stringMatching(/first 3 rows.*DOCUMENT_MAX_ROWS/)],
    live: { sources: 3 },
  });
  const long = Buffer.from('Rye is sown in autumn.\n\n'.repeat(1_000));
  expect(await trained('text/plain', long)).toMatchObject({
    training_notes: [expect.stringContaining('DOCUMENT_MAX_CHARACTERS')],
    live: { sources: 2 },
  });
});

test('a scanned page is read column by column by text recognition, and cited by its number', async () => {
  const recognition = { languages: ['eng'], pages: 10, pageMs: 240_000 };
  await start({ documentLimits: { ...world.config.documentLimits, recognition } });
  const { _id } = await world.document('application/pdf', await sample('part-scanned.pdf'), 'mill.pdf');
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: null,
    training_notes: [],
    live: { sources: 2 },
  });
  const parts = await world.subPages(_id);
  expect(parts.map(({ title, training_note: note }) => [title, note])).toEqual([
    ['mill.pdf, page 1', undefined],
    ['mill.pdf, page 2', undefined],
  ]);
  const scanned = (await world.texts(_id)).join('\n');
  expect(scanned).toContain('is ground finely in the second pass; the international measure of fineness is the mesh');
  expect(scanned).toContain('Bran is sold to farmers as fodder for their horses.');
});

test.each([
  ['encrypted.pdf', /password/],
  ['scanned.pdf', /no text.*scans.*ask the operator to switch on text recognition/],
])('%s fails with a sentence that says why', async (name, sentence) => {
  await start();
  const { _id } = await world.document('application/pdf', await sample(name));
  expect((await world.ended(_id)).training_failed_with).toMatch(sentence);
});
