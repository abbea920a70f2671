import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type KnowledgeItemDoc, newDocument, type RecordedSource } from '@parley/corpus';
import { published } from '@parley/corpus/testing';
import { SourceType, SubPageState } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

let world: KnowledgeWorld;
let rpc: KnowledgeWorld['rpc'];
beforeAll(async () => {
  world = await knowledgeWorld();
  rpc = world.rpc;
});
afterAll(() => world.close());

const by = (account: string) => testCall({ account });

test('pages are listed by address as the latest training found them, each with its state; an FAQ has none', async () => {
  const account = randomId();
  const { _id: id } = await world.website(account);
  const list = (fields: object = {}) => rpc.listSubPages(request({ knowledgeId: id, ...fields }), by(account));
  expect(await list()).toMatchObject({ items: [], total: 0 });
  const { subPages, builds, training } = world.corpus;
  const content = { hash: 'h', title: 'T', links: [], raw_key: 'r', text_key: 't', extraction: 1 };
  for (const urls of [
    ['/old', '/'],
    ['/b', '/', '/a?x=1'],
  ]) {
    const job = await world.begin(account, id);
    await builds.open(job, null);
    for (const url of urls) await subPages.record(job, url, { content, bytes: 3, chunks: 2 });
    await subPages.record(job, '/gone', { failed_with: 'It answered 404.' });
    await subPages.record(job, '/again', { failed_with: 'It did not answer.' });
    await subPages.record(job, '/again', { content, bytes: 3, chunks: 2 });
    await training.publish(job, published());
  }
  const first = await list({ limit: 3 });
  expect(first.items!.map((p) => p.pageUrl)).toEqual(['/', '/a?x=1', '/again']);
  expect(first.items![2]).toMatchObject({
    trainedAt: expect.anything(),
    trainingFailedAt: undefined,
    trainingFailedWith: undefined,
  });
  const rest = await list({ nextCursor: first.nextCursor });
  expect(rest).toMatchObject({
    total: 5,
    items: [{ pageUrl: '/b' }, { pageUrl: '/gone', trainedAt: undefined, trainingFailedWith: 'It answered 404.' }],
  });
  expect(rest.items![0]).toMatchObject({ state: SubPageState.TRAINED, bytes: 3, chunks: 2, title: 'T' });
  expect(rest.items![1]).toMatchObject({ state: SubPageState.FAILED, reason: 'It answered 404.', chunks: 0 });
  const faq = await world.faq(account);
  await expect(list({ knowledgeId: faq._id })).rejects.toMatchObject({
    code: 'failed_precondition',
    message: expect.stringMatching(/is an FAQ.*for a website/),
  });
});

test('the sources of an item of any type are listed in their order, while it is trained and after', async () => {
  const account = randomId();
  const { items, subPages, builds, training } = world.corpus;
  const created = (type: Parameters<typeof items.create>[2]) => items.create(account, randomId(), type);
  const video = { video_id: 'v', video_url: 'u' };
  const document = newDocument({ file_type: 'text/plain', file_name: 'rye.txt' });
  const content = { hash: 'h', title: 'T', links: [], raw_key: 'r', text_key: 't', extraction: 1, kept: 0.5 };
  const read = { title: 'T', bytes: 3, chunks: 2 };
  const failed_with = 'It is damaged.';
  const sources: [KnowledgeItemDoc, SourceType, RecordedSource[], object[]][] = [
    [
      await world.website(account),
      SourceType.PAGE,
      [
        ['/b', { failed_with }],
        ['/a', { content, bytes: 3, chunks: 2 }],
      ],
      [
        { name: '/a', state: SubPageState.TRAINED, title: 'T', bytes: 3, chunks: 2, kept: 0.5 },
        { name: '/b', state: SubPageState.FAILED, reason: failed_with, chunks: 0 },
      ],
    ],
    [
      await created({ type: 'document', document }),
      SourceType.PART,
      [
        [10, { name: 'page 11', ...read }],
        [9, { name: 'page 10', ...read, note: 'It has no text.' }],
        [1, { name: 'page 2', title: 'T', failed_with }],
      ],
      [
        { name: 'page 2', state: SubPageState.FAILED, reason: failed_with, title: 'T' },
        { name: 'page 10', state: SubPageState.TRAINED, reason: 'It has no text.' },
        { name: 'page 11', state: SubPageState.TRAINED, ...read },
      ],
    ],
    [await created({ type: 'video', video }), SourceType.TRANSCRIPT, [[0, { name: 'c', ...read }]], [{ name: 'c' }]],
    [
      await world.faq(account),
      SourceType.FAQ_ITEM,
      [[0, { name: 'Why?', faq_item: 'f', ...read }]],
      [{ name: 'Why?', faqItemId: 'f', ...read }],
    ],
  ];
  for (const [{ _id }, type, found, listed] of sources) {
    const list = (fields: object = {}) => rpc.listSources(request({ knowledgeId: _id, ...fields }), by(account));
    expect(await list()).toMatchObject({ items: [], total: 0 });
    const job = await world.begin(account, _id);
    await builds.open(job, null);
    await subPages.recordAll(job, found);
    const all = listed.map((source) => ({ type, ...source }));
    expect(await list()).toMatchObject({ items: all, total: all.length });
    await training.publish(job, published());
    const { items: first, nextCursor } = await list({ limit: 1 });
    const { items: rest } = await list({ nextCursor });
    expect([...first!, ...(all.length > 1 ? rest! : [])]).toMatchObject(all);
  }
});
