import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { published } from '@parley/corpus/testing';
import { KnowledgeType } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

let world: KnowledgeWorld;
let rpc: KnowledgeWorld['rpc'];
beforeAll(async () => {
  world = await knowledgeWorld();
  rpc = world.rpc;
});
afterAll(() => world.close());

const site = (websiteUrl: string, call: Call) => rpc.createWebsite(request({ websiteUrl }), call);
const by = (account: string) => testCall({ account });

test("a website's address is stored in its WHATWG form, without its fragment", async () => {
  const { item } = await site('HTTP://Example.com:80/a/../b?q=1#part', testCall());
  expect(item).toMatchObject({
    type: KnowledgeType.WEBSITE,
    isTraining: false,
    details: { case: 'website', value: { baseUrl: 'http://example.com/b?q=1' } },
  });
  expect(item).toMatchObject({ trainedAt: undefined, liveSince: undefined, training: undefined });
});

test('an address that can never be crawled is refused at once, and nothing is stored', async () => {
  const call = testCall();
  for (const url of [
    '',
    ' ',
    'example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:secret@example.com/',
    `https://example.com/${'a'.repeat(2_048)}`,
    `https://example.com/${'ä'.repeat(1_000)}`,
    'http://169.254.169.254/',
  ])
    await expect(site(url, call)).rejects.toMatchObject({ code: 'invalid_argument' });
  for (const url of ['http://10.0.0.1/', 'http://127.0.0.1:9/', 'http://[::1]/', 'http://0x7f.1/'])
    await expect(site(url, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('CRAWL_ALLOW'),
    });
  expect((await rpc.listKnowledgeItems(request({}), call)).total).toBe(0);
});

test('a private address that CRAWL_ALLOW lists is accepted', async () => {
  const { item } = await site('http://127.0.0.1:8080/docs/', testCall());
  expect(item?.details?.value).toMatchObject({ baseUrl: 'http://127.0.0.1:8080/docs/' });
});

test("an FAQ's title and description are kept as sent, and an absent description is absent", async () => {
  const faq = (fields: object) => rpc.createFaq(request(fields), testCall());
  expect((await faq({ title: ' $Help ', description: '' })).item?.details?.value).toEqual({
    title: ' $Help ',
    description: '',
  });
  expect((await faq({ title: 'Help' })).item?.details?.value).toEqual({ title: 'Help', description: undefined });
  expect((await faq({ title: '😀'.repeat(200) })).item).toBeDefined();
  for (const wrong of [{ title: ' ' }, { title: 'a'.repeat(201) }, { title: 'a', description: 'b'.repeat(2_001) }])
    await expect(faq(wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('the same operation twice creates one item, and both calls return it', async () => {
  const call = testCall();
  const [one, two] = await Promise.all([site('https://example.com', call), site('https://example.com', call)]);
  expect(one.item?.id).toBe(two.item?.id);
  expect((await rpc.listKnowledgeItems(request({}), call)).total).toBe(1);
});

test('an item is listed, read, and read in batches in the requested order; missing items are left out', async () => {
  const account = randomId();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push((await site(`https://example.com/${n}`, by(account))).item!.id!);
  const foreign = (await site('https://example.com', testCall())).item!.id!;
  const page = await rpc.listKnowledgeItems(request({ limit: 2 }), by(account));
  expect(page).toMatchObject({ items: [{ id: ids[2] }, { id: ids[1] }], total: 3, hasMore: true });
  const rest = await rpc.listKnowledgeItems(request({ nextCursor: page.nextCursor }), by(account));
  expect(rest).toMatchObject({ items: [{ id: ids[0] }], total: 3, hasMore: false, nextCursor: '' });
  const asked = [ids[1], foreign, randomId(), ids[0], ids[1]];
  const batch = await rpc.batchGetKnowledgeItems(request({ ids: asked }), by(account));
  expect(batch.items!.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  await expect(
    rpc.batchGetKnowledgeItems(request({ ids: Array.from({ length: 1_001 }, randomId) }), by(account)),
  ).rejects.toMatchObject({ code: 'invalid_argument' });
});

test("every operation refuses another account's item, finds no unknown one, and changes nothing", async () => {
  const owner = randomId();
  const { _id: id } = await world.faq(owner);
  const faqItem = await world.faqItem(owner, id);
  const before = await world.stored(id);
  const operations = (id: string) => [
    () => rpc.getKnowledgeItem(request({ id }), testCall()),
    () => rpc.deleteKnowledgeItem(request({ id }), testCall()),
    () => rpc.trainKnowledgeItem(request({ id }), testCall()),
    () => rpc.listSubPages(request({ knowledgeId: id }), testCall()),
    () => rpc.listSources(request({ knowledgeId: id }), testCall()),
    () => rpc.listFaqItems(request({ knowledgeId: id }), testCall()),
    () => rpc.createFaqItem(request({ knowledgeId: id, question: 'q', answer: 'a' }), testCall()),
    () => rpc.deleteFaqItem(request({ knowledgeId: id, id: faqItem._id }), testCall()),
  ];
  for (const ask of operations(id)) await expect(ask()).rejects.toMatchObject({ code: 'permission_denied' });
  for (const ask of operations(randomId())) await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
  expect(await world.stored(id)).toEqual(before);
  expect(await world.corpus.collections.faqItems.countDocuments({ item: id })).toBe(1);
});

test('a deletion returns the item as it was, and a retry returns the same', async () => {
  const account = randomId();
  const { _id: id } = await world.website(account);
  const call = by(account);
  const remove = () => rpc.deleteKnowledgeItem(request({ id }), call);
  expect((await remove()).item?.id).toBe(id);
  expect((await remove()).item?.id).toBe(id);
  await expect(rpc.deleteKnowledgeItem(request({ id }), by(account))).rejects.toMatchObject({ code: 'not_found' });
  await expect(rpc.getKnowledgeItem(request({ id }), by(account))).rejects.toMatchObject({ code: 'not_found' });
  expect((await world.stored(id))!.outbox!.map(({ payload }) => payload.case)).toEqual([
    'knowledgeItemCreated',
    'knowledgeItemDeleted',
  ]);
});

test('a training is visible: queued, running with progress, done, or failed with the reason while the old build answers', async () => {
  const account = randomId();
  const { _id: id } = await world.website(account);
  const read = async () => (await rpc.getKnowledgeItem(request({ id }), by(account))).item!;
  const { training } = world.corpus;

  const { item } = await rpc.trainKnowledgeItem(request({ id }), by(account));
  expect(item).toMatchObject({ isTraining: true, training: { queued: true, sourcesFound: 0 } });
  const job = (await training.claim())!;
  await training.reportProgress(job, { sources_found: 5, sources_done: 2, chunks: 9 });
  expect(await read()).toMatchObject({ training: { queued: false, sourcesFound: 5, sourcesDone: 2, chunks: 9 } });
  await training.publish(job, published());
  const trained = await read();
  expect(trained).toMatchObject({ isTraining: false, training: undefined, trainedAt: expect.anything() });
  expect(trained.liveSince).toEqual(trained.trainedAt);

  await world.begin(account, id).then((retraining) => training.fail(retraining, 'The site is unavailable.'));
  expect(await read()).toMatchObject({
    isTraining: false,
    trainedAt: undefined,
    trainingFailedAt: expect.anything(),
    trainingFailedWith: 'The site is unavailable.',
    liveSince: trained.liveSince,
  });
});

test('an item whose vectors are renewed is shown as trained, until its owner asks for a training', async () => {
  await world.emptyQueue();
  const account = randomId();
  const { _id: id } = await world.website(account);
  const read = async () => (await rpc.getKnowledgeItem(request({ id }), by(account))).item!;
  const { training, reembedding } = world.corpus;
  await world.begin(account, id).then((job) => training.publish(job, published('old')));
  const trained = await read();
  const usage = { embedded: 0, reused: 0, calls: 0, tokens: 0 };
  expect(trained.lastTraining).toMatchObject({ startedAt: expect.anything(), endedAt: trained.trainedAt, ...usage });

  expect((await reembedding.claim(['new']))?.item).toBe(id);
  expect(await read()).toEqual(trained);
  const { item } = await rpc.trainKnowledgeItem(request({ id }), by(account));
  expect(item).toMatchObject({ isTraining: true, trainedAt: undefined, training: { queued: true } });
  await training.claim().then((job) => training.fail(job!, 'No.'));
});

test('requesting a training while one is queued or running returns the same state and starts nothing', async () => {
  const account = randomId();
  const { _id: id } = await world.website(account);
  const ask = () => rpc.trainKnowledgeItem(request({ id }), by(account));
  await Promise.all([ask(), ask(), ask()]);
  expect(await world.stored(id)).toMatchObject({ generation: 1 });
  const job = (await world.corpus.training.claim())!;
  await ask();
  await world.corpus.training.publish(job, published());
  expect(await world.stored(id)).toMatchObject({ generation: 1, training: { state: 'idle' } });
});
