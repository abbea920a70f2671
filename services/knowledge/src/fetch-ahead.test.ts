import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { testCall, until } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from './testing.ts';

let world: KnowledgeWorld;
beforeAll(async () => {
  world = await knowledgeWorld();
  await world.dependencies.ahead.start();
});
afterAll(async () => {
  await world.dependencies.ahead.stop();
  await world.close();
});

/** Trains an FAQ with one more answer, and returns what names the file of its new build. */
async function trained(account: string, id: string): Promise<string> {
  const answer = `Bread ${randomId()}.`;
  const item = { question: 'Q', source_url: null, categories: [], answer };
  await world.corpus.faqItems.create(account, id, randomId(), item);
  await world.train(account, id);
  return `${account}.${(await world.stored(id))!.live!.file.sha256}.sqlite`;
}

test('the next build of an item that is asked about is fetched when it is published, and that of others is not', async () => {
  const account = randomId();
  const [asked, other] = [(await world.faq(account))._id, (await world.faq(account))._id];
  const first = await trained(account, asked);
  await trained(account, other);
  const ask = (id: string) => world.rpc.search(request({ knowledgeIds: [id], query: 'bread' }), testCall({ account }));
  const local = () => readdir(world.indexDir);
  const fetched = (file: string) =>
    until(
      () => {
        world.dependencies.ahead.wake();
        return local();
      },
      (files) => files.includes(file),
    );
  expect((await ask(asked)).passages).toHaveLength(1);
  const second = await trained(account, asked);
  await trained(account, other);
  expect((await fetched(second)).sort()).toEqual([first, second].sort());

  // Nobody has asked about it since: its questions may go to another process by now.
  const third = await trained(account, asked);
  await ask(other);
  await fetched(await trained(account, other));
  expect(await local()).not.toContain(third);
  expect((await ask(asked)).passages).toHaveLength(3);
  expect(await local()).toContain(third);
});
