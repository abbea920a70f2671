import { expect, test } from '@jest/globals';
import { must } from './api.ts';
import type { KnowledgeItem } from './resources.ts';
import { shared } from './shared.ts';
import { html, site } from './site.ts';

const { a } = await shared();

const failed = (reason: RegExp) => ({
  is_training: false,
  trained_at: null,
  training_failed_at: expect.any(String),
  training_failed_with: expect.stringMatching(reason),
  live_since: null,
});
const trainAt = async (url: string) => a.train(await a.website(url));

test('an unreachable site fails with a clear message', async () => {
  const gone = await site({});
  await gone[Symbol.asyncDispose]();
  expect(await trainAt(gone.url)).toMatchObject(failed(new RegExp(`^[A-Z].*${new URL(gone.url).hostname}.*\\.$`)));
});

test('a site that disallows robots fails with a message that names robots.txt, and no page is requested', async () => {
  await using closed = await site({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': html('Secret', 'Secret.') });
  expect(await trainAt(closed.url)).toMatchObject(failed(/robots\.txt/));
  expect(closed.asked).toEqual(['/robots.txt']);
});

test('a private address fails with a message that names the setting, even behind a name or a redirect', async () => {
  const refused = await a.api.post('/knowledge/website', { website_url: 'http://127.0.0.2/' });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('CRAWL_ALLOW') } });
  await using inside = await site({ '/': html('Inside', 'Inside.') });
  await using door = await site({
    '/': (response) => response.writeHead(302, { location: inside.url.replace(/\/[\d.]+:/, '/127.0.0.2:') }).end(),
  });
  expect(await trainAt(door.url)).toMatchObject(failed(/CRAWL_ALLOW/));
  expect(inside.asked).toEqual([]);
});

test('a site without any readable page fails and says why', async () => {
  await using empty = await site({ '/': '<html><body></body></html>' });
  expect(await trainAt(empty.url)).toMatchObject(failed(/text/));
  await using broken = await site({ '/': (response) => response.writeHead(500).end('oops') });
  expect(await trainAt(broken.url)).toMatchObject(failed(/500/));
});

test('training an FAQ without items is refused', async () => {
  const { id } = await a.faq('Nothing');
  expect(await a.api.put(`/knowledge/${id}/train`)).toMatchObject({ status: 400 });
  expect(must(await a.api.get(`/knowledge/${id}`))).toMatchObject({ is_training: false, training_failed_at: null });
});

test('after a failed retraining the old build stays live, as live_since says, until a training succeeds', async () => {
  const pages = { '/': html('Tides', 'High water at the harbour is at noon on Sundays.') };
  await using harbour = await site(pages);
  const website = await a.website(harbour.url);
  const { live_since } = await a.train(website);
  const chatbot = await a.chatbot(website);
  const ask = async () => (await a.ask(chatbot, 'When is high water at the harbour?')).message;
  expect(await ask()).toContain('noon');

  delete harbour.pages['/'];
  expect(await a.train(website)).toMatchObject({ ...failed(/404/), live_since });
  expect(await ask()).toContain('noon');
  const attached = must(await a.api.get<{ items: KnowledgeItem[] }>(`/chatbot/${chatbot.id}/knowledge`)).items;
  expect(attached).toMatchObject([{ id: website.id, trained_at: null, live_since }]);
  // A live build can be attached even if the last training failed.
  must(await a.api.put(`/chatbot/${(await a.chatbot()).id}/knowledge`, { knowledge_id: website.id }));

  harbour.pages['/'] = html('Tides', 'High water at the harbour is at midnight on Sundays.');
  const better = await a.train(website);
  expect(better).toMatchObject({ training_failed_at: null, training_failed_with: null, trained_at: better.live_since });
  expect(await ask()).toContain('midnight');
});
