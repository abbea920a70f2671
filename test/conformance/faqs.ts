import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { FaqItem, KnowledgeItem, Page } from '../e2e/resources.ts';
import { expectData, expectRefused, RUNNING, SOURCE, TRAINED, UNTRAINED, UUID, whole } from './check.ts';
import { a, mine, storesNothing } from './given.ts';

const { api } = a;
const ITEM = `/knowledge/${mine.ids.faq}/faq-item`;
const ITEMS = `/knowledge/${mine.ids.faq}/faq-items`;

const block = (text: string) => ({ id: expect.any(String), type: 'paragraph', data: { text } });
const answer = (...texts: string[]) => ({
  version: expect.any(String),
  time: expect.any(Number),
  blocks: texts.map(block),
});
const add = (body: object = {}) => api.post<FaqItem>(ITEM, { question: 'Why?', answer: 'So.', ...body });

describe('an FAQ', () => {
  const identity = { id: UUID, type: 'faq', title: 'Colours', description: 'Of paint.' };
  const create = (body: object = {}) =>
    api.post<KnowledgeItem>('/knowledge/faq', { title: 'Colours', description: 'Of paint.', ...body });

  test('has the right fields when created, read, trained, listed and deleted', async () => {
    const { id } = expectData(await create(), identity);
    const at = `/knowledge/${id}`;
    expectData(await api.get(at), { ...identity, id, ...UNTRAINED });
    expectData(await api.get(`${at}/faq-items`), whole([]));
    expectData(await api.get(`${at}/sources`), whole([]));
    const which = must(await api.post<FaqItem>(`${at}/faq-item`, { question: 'Which?', answer: 'Green.' }));
    expectData(await api.put(`${at}/train`), { ...identity, id, ...RUNNING });
    await a.settled({ id });
    expectData(await api.get(at), { ...identity, id, ...TRAINED });
    const asked = { type: 'faq_item', name: 'Which?', faq_item_id: which.id, title: 'Which?', bytes: 6 };
    expectData(await api.get(`${at}/sources`), whole([{ ...SOURCE, ...asked }]));
    expect(must(await api.get<Page<KnowledgeItem>>('/knowledge?limit=1')).items).toEqual([
      { ...identity, id, ...TRAINED },
    ]);
    expectData(await api.del(at), { ...identity, id });
    expectRefused(await api.get(`${at}/faq-items`), 404);
    expectRefused(await api.get(`${at}/sources`), 404);
    expectRefused(await api.post(`${at}/faq-item`, { question: 'Q', answer: 'A' }), 404);
  });

  test('without a description returns null, and stores other text as sent', async () => {
    expectData(await create({ description: undefined }), { ...identity, description: null });
    expectData(await create({ description: null }), { ...identity, description: null });
    expectData(await create({ title: ' T\t', description: ' x ' }), { ...identity, title: ' T\t', description: ' x ' });
  });
});

describe('an FAQ item', () => {
  test('has the right fields when created, listed and deleted', async () => {
    const body = {
      question: 'How?',
      answer: 'Thus.',
      source_url: 'https://example.com/how',
      categories: ['One', 'Two', 'One'],
    };
    const base = { id: UUID, question: 'How?', answer: answer('Thus.'), categories: ['One', 'Two'] };
    const rating = { upvotes: 0, downvotes: 0 };
    const { id, answer: made } = expectData(await add(body), { ...base, rating, source_url: body.source_url });
    expect(made.time).toBeGreaterThan(Date.now() - 120_000);
    expect(Number.isInteger(made.time)).toBe(true);
    const { items } = must(await api.get<Page<FaqItem>>(ITEMS));
    expect(items[0]).toEqual({ ...base, id, answer: made, source_url: body.source_url });
    expectData(await api.del(`${ITEM}/${id.toUpperCase()}`), { ...base, id, answer: made, rating });
    expectRefused(await api.del(`${ITEM}/${id}`), 404);
    expect(must(await api.get<Page<FaqItem>>(ITEMS)).items.map((item) => item.id)).not.toContain(id);
  });

  test('without optional fields returns null and an empty list', async () => {
    for (const body of [{}, { source_url: null, categories: null }, { categories: [] }])
      expectData(await add(body), {
        id: UUID,
        question: 'Why?',
        answer: answer('So.'),
        rating: { upvotes: 0, downvotes: 0 },
        source_url: null,
        categories: [],
      });
  });

  test.each([
    ['one line', ['one line']],
    ['first\nsecond', ['first<br>second']],
    ['first\r\nsecond', ['first<br>second']],
    ['first\nsecond\nthird', ['first<br>second<br>third']],
    ['first\n\nsecond', ['first', 'second']],
    ['first\r\n\r\nsecond', ['first', 'second']],
    ['first\n  \t \nsecond\nthird\n\n\nfourth', ['first', 'second<br>third', 'fourth']],
    ['\n\nfirst\n\n', ['first']],
    ['<b>&amp;</b> "q"', ['&lt;b&gt;&amp;amp;&lt;/b&gt; "q"']],
    ["it's <br> & 1 < 2 > 0", ["it's &lt;br&gt; &amp; 1 &lt; 2 &gt; 0"]],
    ['日本語 🙂\n\n$where {{x}}', ['日本語 🙂', '$where {{x}}']],
  ])('with the answer %j has the paragraphs %j', async (text, blocks) => {
    const { id, answer: made } = must(await add({ answer: text }));
    expect(made).toEqual(answer(...blocks));
    expect(new Set(made.blocks.map((one) => one.id)).size).toBe(made.blocks.length);
    const listed = must(await api.get<Page<FaqItem>>(`${ITEMS}?limit=1`)).items[0]!;
    expect(listed).toMatchObject({ id, answer: made });
    must(await api.del(`${ITEM}/${id}`));
  });

  test.each([
    ['http://example.com/a?b=c', 'http://example.com/a?b=c'],
    ['https://example.com', 'https://example.com'],
  ])('accepts the source_url %p', async (source_url) => {
    expect(must(await add({ source_url })).source_url).toMatch(
      new RegExp(`^${source_url.replace(/[?.]/g, '\\$&')}/?$`),
    );
  });

  test.each([
    [
      ['a', 'b', 'a', 'A'],
      ['a', 'b', 'A'],
    ],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
    [
      [' a ', 'a'],
      [' a ', 'a'],
    ],
    [
      ['日本', '🙂'],
      ['日本', '🙂'],
    ],
  ])('with the categories %j has %j', async (sent, kept) => {
    expect(must(await add({ categories: sent })).categories).toEqual(kept);
  });

  storesNothing([ITEMS, '/knowledge?limit=5'], () => {
    test.each([
      'ftp://example.com',
      'example.com/x',
      'javascript:alert(1)',
      ' ',
      '',
      'https://',
      '//example.com',
      7,
      {},
    ])('refuses the source_url %j', async (source_url) => {
      expectRefused(await add({ source_url }), 400, 'source_url');
    });

    test.each([[['']], [['a', '  ']], ['a'], [[1]], [[null]], [{}], [7]])(
      'refuses the categories %j',
      async (categories) => {
        expectRefused(await add({ categories }), 400, 'categories');
      },
    );
  });
});
