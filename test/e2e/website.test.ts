import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import type { KnowledgeItem, SubPage } from './resources.ts';
import { embeddings, shared } from './shared-embeddings.ts';
import { held, html, site } from './site.ts';

const shop = await site({
  '/': html('The Cedar Shop', 'We make garden furniture of cedar wood by hand since 1987.', [
    '/delivery',
    '/returns',
    '/care',
    '/blank',
    '/gone',
  ]),
  '/delivery': html(
    'Delivery',
    'A parcel reaches you within three working days. The courier calls before arriving.\nWe deliver to every island except Skye.',
  ),
  '/returns': html(
    'Returns',
    'Send goods back within thirty days and you receive all of your money again.\nThe label is in the box.',
  ),
  '/care': html('Care', 'Oil the benches once each spring with linseed. Never use a pressure washer on the wood.'),
  '/blank': '<html><head><title>Blank</title></head><body></body></html>',
  '/robots.txt': 'User-agent: *\nDisallow: /private',
});
const { a, website, trained, chatbot } = await shared(async ({ a }) => {
  const website = await a.website(shop.url);
  return { website, trained: await a.train(website), chatbot: await a.chatbot(website) };
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});
const url = (path: string) => new URL(path, shop.url).href;
const subPages = (item: { id: string }) => a.api.all<SubPage>(`/knowledge/${item.id}/sub-pages`);

test('a question is answered from the page that contains the answer, and that page is cited', async () => {
  expect(trained).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  const { message, sources } = await a.ask(chatbot, 'Which oil do I use on the benches each spring?');
  expect(message).toContain('linseed');
  expect(message).toContain('[1]');
  const [, list = ''] = message.split('\n\nSources:\n');
  expect(list).toContain(`[1] `);
  expect(list).toContain(url('/care'));
  expect(sources[0]).toEqual({ n: 1, title: 'Care', url: url('/care') });
  for (const { n, url } of sources) expect(list).toContain(`[${n}] ${list.includes(url!) ? '' : 'missing'}`);
});

(embeddings === 'local' ? test : test.skip)(
  'a question is answered even if it shares no content word with its answer',
  async () => {
    const { message, sources } = await a.ask(chatbot, 'How can I get a refund?');
    expect(message).toContain('thirty days');
    expect(sources.map((source) => source.url)).toContain(url('/returns'));
  },
);

test.each(['What is the capital of Mongolia?', 'Who won the chess championship?', 'asdf qwer zxcv', '🙂', '?'])(
  'the unrelated question %p gets a sentence saying there is no answer, and no sources',
  async (question) => {
    const { message, sources } = await a.ask(chatbot, question);
    expect(sources).toEqual([]);
    expect(message).not.toMatch(/\[\d\]|Sources/);
    expect(message).toMatch(/^[A-Z].*\b(no|not|nothing|could not|don't|couldn't)\b.*[.!]$/);
  },
);

test('each page has its own state, and a reason if it failed', async () => {
  const failed = (page_url: string, reason: string, bytes: number | null) => ({
    page_url,
    trained_at: null,
    training_failed_at: expect.any(String),
    training_failed_with: expect.stringContaining(reason),
    training_note: null,
    state: 'failed',
    reason: expect.stringContaining(reason),
    bytes,
    chunks: 0,
    title: null,
    kept: null,
  });
  const read = (page_url: string, title: string) => ({
    page_url,
    trained_at: expect.any(String),
    training_failed_at: null,
    training_failed_with: null,
    training_note: null,
    state: 'trained',
    reason: null,
    bytes: sizeOf(page_url),
    chunks: 1,
    title,
    kept: expect.any(Number),
  });
  const sizeOf = (path: string) => Buffer.byteLength(shop.pages[path] as string);
  expect(await subPages(website)).toEqual([
    read('/', 'The Cedar Shop'),
    failed('/blank', 'text', sizeOf('/blank')),
    read('/care', 'Care'),
    read('/delivery', 'Delivery'),
    failed('/gone', '404', null),
    read('/returns', 'Returns'),
  ]);
});

describe('an edited page', () => {
  test('changes the answer after the next training, and the old answer is gone', async () => {
    const question = 'How many working days until a parcel reaches me?';
    expect((await a.ask(chatbot, question)).message).toContain('three working days');
    shop.pages['/delivery'] = html(
      'Delivery',
      'A parcel reaches you within eleven working days, as the ferry is under repair.',
    );
    expect((await a.ask(chatbot, question)).message).toContain('three');
    await a.train(website);
    const { message } = await a.ask(chatbot, question);
    expect(message).toContain('eleven working days');
    expect(message).not.toContain('three');
    expect((await a.ask(chatbot, 'Do you deliver to Skye?')).message).not.toContain('Skye.');
  });

  test('is left out after it was removed, and the others stay', async () => {
    delete shop.pages['/care'];
    await a.train(website);
    expect(await subPages(website)).toContainEqual(expect.objectContaining({ page_url: '/care', trained_at: null }));
    expect((await a.ask(chatbot, 'Which oil do I use on the benches each spring?')).message).not.toContain('linseed');
    expect((await a.ask(chatbot, 'Within how many days may goods be sent back?')).message).toContain('thirty');
  });
});

test('progress is visible during a training, and requesting it again does not start another', async () => {
  const slow = held(html('Slow', 'A page that takes its time before it tells about granite.'));
  await using pages = await site({
    '/': html('Fast', 'The first page links to a slow one about granite.', ['/slow']),
    '/slow': slow.served,
  });
  const { id } = await a.website(pages.url);
  const at = `/knowledge/${id}`;
  expect(must(await a.api.put(`${at}/train`))).toMatchObject({ is_training: true, trained_at: null });
  await slow.arrived;
  const running = await until(
    async () => must(await a.api.get<KnowledgeItem>(at)),
    ({ training }) => training?.sources_done === 1,
  );
  expect(running).toMatchObject({ is_training: true, trained_at: null, live_since: null });
  expect(running.training).toMatchObject({ state: 'running', sources_found: 2, sources_done: 1 });
  expect(await subPages({ id })).toContainEqual(
    expect.objectContaining({ page_url: '/', trained_at: expect.any(String) }),
  );

  const again = must(await a.api.put<KnowledgeItem>(`${at}/train`));
  expect(again).toMatchObject({ is_training: true, trained_at: null });
  const refused = await a.api.put(`/chatbot/${chatbot.id}/knowledge`, { knowledge_id: id });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('trained') } });
  slow.release();
  const done = await a.settled({ id });
  expect(done).toMatchObject({ trained_at: expect.any(String), training_failed_with: null });
  expect(done.training).toBeUndefined();
  expect(pages.asked.filter((path) => path === '/slow').length).toBe(1);
});
