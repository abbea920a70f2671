import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from './testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

test('a list of items that no message between services can hold comes in shorter pages, each item once', async () => {
  const { id } = (await w.post('/knowledge/faq', { title: 'Long' })).body.data;
  const answer = '🙂'.repeat(50_000);
  const created: string[] = [];
  for (let i = 0; i < 30; i++)
    created.unshift((await w.post(`/knowledge/${id}/faq-item`, { question: 'Why?', answer })).body.data.id);

  const listed: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page = await w.get(`/knowledge/${id}/faq-items?limit=100${cursor && `&next_cursor=${cursor}`}`);
    expect(page).toMatchObject({ status: 200, body: { data: { total: 30 } } });
    listed.push(...page.body.data.items.map((item: { id: string }) => item.id));
    cursor = page.body.data.next_cursor;
  }
  expect(listed).toEqual(created);
});
