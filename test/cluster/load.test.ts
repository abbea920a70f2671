import { afterAll, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import { world } from '../e2e/world.ts';
import { openShop, requestsOf } from './pod/requests.ts';

const { a: account, stop } = await world({ embeddings: 'none' });
afterAll(stop);

test('the load of the cluster test does not accumulate data, so it never reaches a limit of its account', async () => {
  const shop = await openShop(account);
  const requests = await requestsOf(shop);
  const lengths = async () => ({
    chatbots: must(await account.api.get<unknown[]>('/chatbots')).length,
    items: (await account.api.all('/knowledge')).length,
    questions: (await account.api.all(`/knowledge/${shop.faq.id}/faq-items`)).length,
  });
  const before = await lengths();
  for (let round = 0; round < 3; round++) for (const request of requests) await request();
  expect(await lengths()).toEqual(before);
});
