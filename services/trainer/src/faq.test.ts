import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countingEmbedders } from './testing/counting-embedders.ts';
import { trainerWorld } from './testing/trainer.ts';

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
