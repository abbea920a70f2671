import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import { shared } from './shared.ts';
import { held, html, site } from './site.ts';

const { a, mongo, objects } = await shared();

const { account } = must(await a.api.get<{ account: { id: string } }>('/me'));
const CHILDREN = ['builds', 'sub_pages', 'faq_items'];
const stored = () =>
  Promise.all(
    CHILDREN.map((name) => mongo.db('parley_corpus').collection(name).countDocuments({ account: account.id })),
  );
async function files(): Promise<number> {
  let count = 0;
  for await (const _ of objects.list(`accounts/${account.id}/`)) count++;
  return count;
}

test('an item deleted during its training is gone at once, and everything that the training stores is removed', async () => {
  const slow = held(html('Slow', 'The slow page tells about the old quarry.'));
  await using pages = await site({ '/': html('Fast', 'The quarry opened long ago.', ['/slow']), '/slow': slow.served });
  const website = await a.website(pages.url);
  const faq = await a.faq('Depths', { 'How deep is the quarry?': 'The quarry is ninety metres deep.' });
  await a.train(faq);
  const chatbot = await a.chatbot(faq);
  must(await a.api.put(`/knowledge/${website.id}/train`));
  await slow.arrived;
  await until(files, (count) => count > 0);

  for (const item of [website, faq]) {
    const at = `/knowledge/${item.id}`;
    must(await a.api.del(at));
    expect((await a.api.get(at)).status).toBe(404);
    expect((await a.api.put(`${at}/train`)).status).toBe(404);
    expect((await a.api.put(`/chatbot/${chatbot.id}/knowledge`, { knowledge_id: item.id })).status).toBe(404);
  }
  expect((await a.api.get(`/knowledge/${website.id}/sub-pages`)).status).toBe(404);
  expect((await a.api.post(`/knowledge/${faq.id}/faq-item`, { question: 'Q', answer: 'A' })).status).toBe(404);
  expect(await a.api.all('/knowledge')).toEqual([]);
  expect((await a.ask(chatbot, 'How deep is the quarry?')).sources).toEqual([]);
  slow.release();

  await until(
    () => a.api.all(`/chatbot/${chatbot.id}/knowledge`),
    (attached) => attached.length === 0,
  );
  await until(
    async () => [...(await stored()), await files()],
    (counts) => counts.every((count) => count === 0),
  );
});
