import { expect, test } from '@jest/globals';
import { must } from './api.ts';
import type { FaqItem, Source } from './resources.ts';
import { shared } from './shared.ts';
import { held, html, site } from './site.ts';

const { a, faq } = await shared(async ({ a }) => ({
  faq: await a.faq('Library', {
    'When does the library open?': 'The library opens at ten.\nOn Fridays it opens at noon.\n\nIt is closed in August.',
  }),
}));

const add = async (question: string, answer: string) =>
  must(await a.api.post<FaqItem>(`/knowledge/${faq.id}/faq-item`, { question, answer, categories: ['Rules'] }));

const asked = async () => (await a.api.all<Source>(`/knowledge/${faq.id}/sources`)).map(({ name }) => name);

test('attaching an FAQ that was never trained is refused and has no effect', async () => {
  const chatbot = await a.chatbot();
  const refused = await a.api.put(`/chatbot/${chatbot.public_id}/knowledge`, { knowledge_id: faq.id });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('trained') } });
  expect(await a.api.all(`/chatbot/${chatbot.id}/knowledge`)).toEqual([]);
  expect((await a.ask(chatbot, 'When does the library open?')).sources).toEqual([]);
});

test('a trained FAQ answers and cites its item; added and deleted items take effect after the next training', async () => {
  await a.train(faq);
  const chatbot = await a.chatbot(faq);
  const first = await a.ask(chatbot, 'When does the library open?');
  expect(first.message).toContain('at ten');
  expect(first.sources).toEqual([{ n: 1, title: 'When does the library open?', url: null }]);

  const { id } = await add('May I eat crisps?', 'Crisps are welcome on the terrace only.');
  expect((await a.ask(chatbot, 'May I eat crisps?')).message).not.toContain('terrace');
  await a.train(faq);
  expect((await a.ask(chatbot, 'May I eat crisps?')).message).toContain('terrace');
  expect(await asked()).toEqual(['May I eat crisps?', 'When does the library open?']);

  must(await a.api.del(`/knowledge/${faq.id}/faq-item/${id}`));
  await a.train(faq);
  expect((await a.ask(chatbot, 'May I eat crisps?')).message).not.toContain('terrace');
  expect(await asked()).toEqual(['When does the library open?']);
  expect((await a.ask(chatbot, 'When does the library open?')).message).toContain('at ten');
});

test("the answer cites an item's source_url", async () => {
  const source_url = 'https://library.example/cards';
  const cards = await a.faq('Cards');
  must(
    await a.api.post(`/knowledge/${cards.id}/faq-item`, {
      question: 'What does a card cost?',
      answer: 'A card costs four crowns.',
      source_url,
    }),
  );
  await a.train(cards);
  const { message, sources } = await a.ask(await a.chatbot(cards), 'What does a card cost?');
  expect(sources).toEqual([{ n: 1, title: 'What does a card cost?', url: source_url }]);
  expect(message).toContain(source_url);
});

test('an item added between two requests for a training is found afterwards', async () => {
  // Keeps the only trainer busy, so that the FAQ's training has to wait.
  const slow = held(html('Slow', 'A slow page.'));
  await using pages = await site({ '/': slow.served });
  const website = await a.website(pages.url);
  must(await a.api.put(`/knowledge/${website.id}/train`));
  await slow.arrived;
  const chatbot = await a.chatbot(faq);
  must(await a.api.put(`/knowledge/${faq.id}/train`));
  await add('Where is the cellar?', 'The cellar lies behind the printing press.');
  must(await a.api.put(`/knowledge/${faq.id}/train`));
  slow.release();
  await a.settled(website);
  await a.settled(faq);
  expect((await a.ask(chatbot, 'Where is the cellar?')).message).toContain('printing press');
});
