import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem } from '../e2e/resources.ts';
import { html, site } from '../e2e/site.ts';
import {
  expectData,
  expectFields,
  expectRefused,
  LAST_TRAINING,
  NEVER_TRAINED,
  RUNNING,
  SENTENCE,
  SOURCE,
  TIME,
  TRAINED,
  UNTRAINED,
  UUID,
  whole,
} from './check.ts';
import { a, mine, readsOurSites, storesNothing } from './given.ts';

const { api } = a;
const { ids } = mine;
const locally = readsOurSites ? test : test.skip;

const create = (website_url: unknown) => api.post<KnowledgeItem>('/knowledge/website', { website_url });
const identity = (base_url: string) => ({ id: UUID, type: 'website', base_url });
/** Extension fields of websites. */
const SETTINGS = ['include', 'exclude', 'retrain_every'];
/** Extension fields of sub pages. */
const PAGE_EXTENSIONS = ['state', 'reason', 'bytes', 'chunks', 'title', 'training_note', 'kept'];

describe('a website', () => {
  test('has the right fields when created, read, listed and deleted', async () => {
    const made = expectData(await create('https://example.org/docs'), identity('https://example.org/docs'));
    const at = `/knowledge/${made.id}`;
    const full = { ...identity('https://example.org/docs'), ...UNTRAINED };
    expectFields(must(await api.get(at)), full, SETTINGS);
    expectFields(must(await api.get(`/knowledge/${made.id.toUpperCase()}`)), full, SETTINGS);
    const { items } = must(await api.get<{ items: KnowledgeItem[] }>('/knowledge?limit=1'));
    expectFields(items[0], { ...full, id: made.id }, SETTINGS);
    expectData(await api.get(`${at}/sub-pages`), whole([]));
    expectData(await api.del(at), identity('https://example.org/docs'));
    expectRefused(await api.get(at), 404);
    expectRefused(await api.del(at), 404);
    expectRefused(await api.put(`${at}/train`), 404);
  });

  locally('has the right fields while and after it is trained', async () => {
    await using pages = await site({ '/': html('Light', 'Nothing but one page of text about a lighthouse.') });
    const made = must(await create(pages.url));
    const at = `/knowledge/${made.id}`;
    expectFields(must(await api.put(`${at}/train`)), { ...identity(pages.url), ...RUNNING }, SETTINGS);
    await a.settled(made);
    expectFields(must(await api.get(at)), { ...identity(pages.url), ...TRAINED }, SETTINGS);
    const { items, ...page } = must(await api.get<{ items: unknown[] }>(`${at}/sub-pages`));
    expect(page).toEqual({ total: 1, has_more: false });
    expectFields(items[0], { ...NEVER_TRAINED, page_url: '/', trained_at: TIME }, PAGE_EXTENSIONS);
    expect(items[0]).toMatchObject({
      state: 'trained',
      reason: null,
      bytes: expect.any(Number),
      chunks: 1,
      title: 'Light',
      kept: 1,
    });
    expectData(
      await api.get(`${at}/sources`),
      whole([{ ...SOURCE, type: 'page', name: '/', title: 'Light', kept: 1 }]),
    );
    expectData(await api.del(at), identity(pages.url));
    expectRefused(await api.get(`${at}/sub-pages`), 404);
  });

  locally('says when and why its training failed, and so does its page', async () => {
    await using pages = await site({});
    const { id } = await a.website(pages.url);
    await a.train({ id });
    const failed = { training_failed_at: TIME, training_failed_with: SENTENCE };
    expectFields(
      must(await api.get(`/knowledge/${id}`)),
      { ...identity(pages.url), ...UNTRAINED, ...failed, last_training: LAST_TRAINING },
      SETTINGS,
    );
    const { items } = must(await api.get<{ items: unknown[] }>(`/knowledge/${id}/sub-pages`));
    expect(items.length).toBe(1);
    expectFields(items[0], { ...NEVER_TRAINED, ...failed, page_url: '/' }, PAGE_EXTENSIONS);
    const outcome = { state: 'failed', reason: SENTENCE, bytes: null, chunks: 0, title: null, kept: null };
    expect(items[0]).toMatchObject(outcome);
    const source = { ...SOURCE, ...outcome, type: 'page', name: '/', trained_at: null, training_failed_at: TIME };
    expectData(await api.get(`/knowledge/${id}/sources`), whole([source]));
  });

  locally('is trained on the pages that its patterns choose, and fails if there are none', async () => {
    await using pages = await site({
      '/': html('Home', 'The first page links to the others.', ['/docs/a', '/docs/old/b', '/blog']),
      '/docs/a': html('A', 'A page about the lamp.', ['/blog']),
      '/docs/old/b': html('B', 'An old page about the lamp.'),
      '/blog': html('Blog', 'A page about the weather.'),
    });
    const website = await a.website(pages.url);
    const at = `/knowledge/${website.id}`;
    must(await api.patch(at, { include: ['/docs/'], exclude: ['/*/old/'] }));
    await a.train(website);
    expect(await api.all(`${at}/sub-pages`)).toMatchObject([{ page_url: '/docs/a', state: 'trained' }]);
    must(await api.patch(at, { include: ['/docs/*.pdf$'], exclude: null }));
    await a.train(website);
    expect(must(await api.get(at))).toMatchObject({
      trained_at: null,
      training_failed_with: expect.stringMatching(/include and exclude patterns/),
    });
    must(await api.del(at));
  });

  locally('answers on with what it had after a failed retraining, and says since when', async () => {
    await using pages = await site({ '/': html('Lamp', 'The lamp of the lighthouse burns whale oil.') });
    const website = await a.website(pages.url);
    const { live_since } = await a.train(website);
    const bot = await a.chatbot(website);
    delete pages.pages['/'];
    const failed = await a.train(website);
    expect(failed).toMatchObject({
      trained_at: null,
      training_failed_at: TIME,
      training_failed_with: SENTENCE,
      live_since,
    });
    expect((await a.ask(bot, 'What does the lamp burn?')).message).toContain('whale oil');
    const other = await a.chatbot();
    must(await api.put(`/chatbot/${other.id}/knowledge`, { knowledge_id: website.id }));
  });
});

describe('the address of a website', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['http://example.com', 'http://example.com/'],
    ['HTTP://Example.COM:80/a/../b?q=1#part', 'http://example.com/b?q=1'],
    ['https://exämple.com/ü', 'https://xn--exmple-cua.com/%C3%BC'],
    ['https://example.com:8443/docs/', 'https://example.com:8443/docs/'],
    ['https://example.com:443/a b', 'https://example.com/a%20b'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
  ])('%p becomes %p', async (sent, stored) => {
    expect(must(await create(sent)).base_url).toBe(stored);
  });

  storesNothing(['/knowledge'], () => {
    test.each([
      'example.com',
      'www.example.com',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://',
      'https://',
      'http:example.com',
      'http:/example.com',
      '//example.com',
      'httpx://example.com',
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://exa mple.com/',
      'https://example.com:99999/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
      'http://172.16.0.1/',
      'http://100.64.0.1/',
      'http://0.0.0.0/',
      'http://[::1]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://0x0a000001/',
      'http://167772161/',
      'http://192.168.1.1:8080/x',
    ])('%p is refused', async (address) => {
      const refused = await create(address);
      expectRefused(refused, 400);
      expect(refused.body.message).not.toContain('secret');
    });
  });

  test('a refused private address names the field or the setting', async () => {
    expect((await create('http://10.1.2.3/')).body.message).toMatch(/website_url|CRAWL_ALLOW/);
  });
});

describe('the settings of a website', () => {
  const at = `/knowledge/${ids.website}`;
  const patch = (body: object) => api.patch<Record<string, unknown>>(at, body);

  test('are set, kept and cleared by PATCH', async () => {
    const set = { include: ['/docs/*', '/help'], exclude: ['/docs/old/*'], retrain_every: 24 };
    expect(must(await patch(set))).toMatchObject({ id: ids.website, ...set });
    expect(must(await api.get(at))).toMatchObject(set);
    expect(must(await patch({ retrain_every: 48 }))).toMatchObject({ ...set, retrain_every: 48 });
    expect(must(await patch({}))).toMatchObject({ ...set, retrain_every: 48 });
    expect(must(await patch({ include: [], exclude: [], retrain_every: null }))).toMatchObject({
      include: [],
      exclude: [],
      retrain_every: null,
    });
    expect(must(await api.get(at))).toMatchObject({ include: [], exclude: [], retrain_every: null });
    must(await patch(set));
    expect(must(await patch({ include: null, exclude: null, retrain_every: null }))).toMatchObject({
      include: [],
      exclude: [],
      retrain_every: null,
    });
  });

  test('may be as many, as long and as rare as documented', async () => {
    const { id } = await a.website('https://example.com/');
    const longest = Array.from({ length: 50 }, () => `/${'🙂'.repeat(199)}`);
    const set = { include: longest, exclude: longest, retrain_every: 8_760 };
    expect(must(await api.patch(`/knowledge/${id}`, set))).toMatchObject(set);
    expect(must(await api.patch(`/knowledge/${id}`, { retrain_every: 1 }))).toMatchObject({ retrain_every: 1 });
    must(await api.del(`/knowledge/${id}`));
  });

  storesNothing([at], () => {
    test.each<[string, unknown]>([
      ['include', '/docs'],
      ['include', [7]],
      ['include', ['']],
      ['include', {}],
      ['include', ['/docs', 'docs']],
      ['include', ['https://example.com/docs']],
      ['include', ['*']],
      ['include', Array(51).fill('/')],
      ['include', [`/${'a'.repeat(200)}`]],
      ['exclude', '/docs'],
      ['exclude', [null]],
      ['exclude', ['  ']],
      ['exclude', ['']],
      ['exclude', Array(51).fill('/')],
      ['retrain_every', 0],
      ['retrain_every', -1],
      ['retrain_every', 1.5],
      ['retrain_every', '24'],
      ['retrain_every', true],
      ['retrain_every', 8_761],
      ['retrain_every', [24]],
    ])('%s may not be %j', async (field, value) => {
      expectRefused(await patch({ [field]: value }), 400, field);
    });
  });

  test('belong to websites only: other items are a 400 that names the type', async () => {
    for (const [type, id] of [
      ['faq', ids.faq],
      ['video', ids.video],
      ['document', ids.document],
    ] as const)
      expectRefused(await api.patch(`/knowledge/${id}`, { include: ['/x'] }), 400, type);
  });
});
