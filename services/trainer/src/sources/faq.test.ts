import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countingEmbedders } from '../testing/counting-embedders.ts';
import { trainerWorld } from '../testing/trainer.ts';

const counting = countingEmbedders();
let world: Awaited<ReturnType<typeof trainerWorld>>;

beforeAll(async () => {
  world = await trainerWorld();
  await world.startTrainer({ embedders: counting.embedders });
});
afterAll(() => world.close());

async function trained(id: string) {
  const before = counting.embedded;
  await world.train(id);
  expect(await world.ended(id)).toMatchObject({ training_failed_with: null });
  return { embedded: counting.embedded - before, items: (await world.stored(id))!.live!.sources };
}

test('of a trained FAQ, only the items that were added are embedded, whatever was deleted', async () => {
  const { _id } = await world.faq(world.account);
  for (let i = 0; i < 40; i++) await world.faqItem(world.account, _id, `Why ${i}?`);
  expect(await trained(_id)).toEqual({ embedded: 40, items: 40 });
  expect(await trained(_id)).toEqual({ embedded: 0, items: 40 });
  const added = await world.faqItem(world.account, _id, 'Why not?');
  expect(await trained(_id)).toEqual({ embedded: 1, items: 41 });
  await world.corpus.faqItems.delete(world.account, _id, added._id, 'operation');
  expect(await trained(_id)).toEqual({ embedded: 0, items: 40 });
});

test('the sources of an FAQ are its items as the latest training found them, newest first', async () => {
  const { _id } = await world.faq(world.account);
  const added: string[] = [];
  for (let i = 0; i < 40; i++) added.unshift((await world.faqItem(world.account, _id, `Why ${i}?`))._id);
  const listed = async () => (await world.subPages(_id)).map(({ faq_item, name, chunks }) => [faq_item, name, chunks]);
  const rows = added.map((id, i) => [id, `Why ${39 - i}?`, 1]);
  await trained(_id);
  expect(await listed()).toEqual(rows);
  const [first] = await world.subPages(_id);
  expect(first).toMatchObject({ title: 'Why 39?', bytes: 'Because.'.length, trained_at: expect.any(Date) });

  await world.corpus.faqItems.delete(world.account, _id, added[1]!, 'operation');
  const { _id: id } = await world.faqItem(world.account, _id, 'Why not?');
  expect(await listed()).toEqual(rows);
  await trained(_id);
  expect(await listed()).toEqual([[id, 'Why not?', 1], rows[0], ...rows.slice(2)]);
});
