import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { KnowledgeType } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { gate, testCall, until } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';
import { handlers } from './index.ts';

let world: KnowledgeWorld;
let rpc: KnowledgeWorld['rpc'];
let account: string;
let id: string;
beforeAll(async () => {
  world = await knowledgeWorld();
  rpc = world.rpc;
});
beforeEach(async () => {
  account = randomId();
  id = await create('text/plain');
});
afterAll(() => world.close());

const mine = () => testCall({ account });
const create = async (fileType: string, fileName?: string) =>
  (await rpc.createDocument(request({ fileType, fileName }), mine())).item!.id!;

async function upload(content: string, of = id) {
  const { objectKey } = await rpc.beginUpload(request({ id: of }), mine());
  const { size, sha256 } = await world.objects.put(objectKey!, Buffer.from(content));
  await rpc.completeUpload(request({ id: of, objectKey, bytes: size, sha256 }), mine());
  return objectKey!;
}
const finalize = (of = id) => rpc.finalizeDocument(request({ id: of }), mine());
const exists = async (key: string) => (await world.objects.stat(key)) !== undefined;
const refused = (says: RegExp) => ({ code: 'failed_precondition', message: expect.stringMatching(says) });

test('a document keeps its type and name as sent, and one of another type is refused', async () => {
  const item = (await rpc.createDocument(request({ fileType: 'text/csv', fileName: ' ä.csv ' }), mine())).item!;
  expect(item).toMatchObject({
    type: KnowledgeType.DOCUMENT,
    details: { case: 'document', value: { fileType: 'text/csv', fileName: ' ä.csv ', finalized: false } },
  });
  for (const wrong of [
    { fileType: 'text/html' },
    { fileType: '' },
    { fileType: 'text/csv', fileName: 'ä'.repeat(201) },
  ])
    await expect(rpc.createDocument(request(wrong), mine())).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a document is finalized once its file is what its type says; repeating that changes nothing', async () => {
  await expect(finalize()).rejects.toMatchObject(refused(/No file/));
  await upload('');
  await expect(finalize()).rejects.toMatchObject(refused(/empty/));
  await upload('a\0b');
  await expect(finalize()).rejects.toMatchObject(refused(/text\/plain/));
  await expect(rpc.trainKnowledgeItem(request({ id }), mine())).rejects.toMatchObject(refused(/finalized/));
  await expect(rpc.getDocumentFile(request({ id }), mine())).rejects.toMatchObject({ code: 'not_found' });

  const key = await upload('Prices');
  const [first, second] = [await finalize(), await finalize()];
  expect(first.item).toMatchObject({ id, details: { value: { finalized: true } } });
  expect(second).toEqual(first);
  expect(await world.stored(id)).toMatchObject({ content_version: 1 });
  expect(await rpc.getDocumentFile(request({ id }), mine())).toEqual({ objectKey: key, fileType: 'text/plain' });
  expect((await rpc.trainKnowledgeItem(request({ id }), mine())).item).toMatchObject({ isTraining: true });
  await expect(rpc.beginUpload(request({ id }), mine())).rejects.toMatchObject({ code: 'already_exists' });
});

test('an account has half of the files that are read at a time, and others are read meanwhile', async () => {
  await upload('Prices');
  const ends = gate();
  const { objects } = world;
  const get: typeof objects.get = async (...args) => {
    await ends.opened;
    return objects.get(...args);
  };
  const slow = handlers({ ...world.dependencies, objects: { ...objects, get } });
  const refusals: string[] = [];
  const finalizing = Array.from({ length: 20 }, () =>
    slow.finalizeDocument(request({ id }), mine()).catch(({ code }) => void refusals.push(code)),
  );
  await until(() => refusals.length === 12);
  expect(new Set(refusals)).toEqual(new Set(['unavailable']));
  ends.open();
  await Promise.all(finalizing);
  expect(refusals).toHaveLength(12);
});

test('a refused file is not read again: the same sentence comes at once, until another one is uploaded', async () => {
  await upload(`${'text '.repeat(1_000)}\0`);
  const { get } = world.objects;
  let reads = 0;
  world.objects.get = (key, signal) => {
    reads++;
    return get(key, signal);
  };
  const sentences = new Set<string>();
  for (let i = 0; i < 3; i++) await finalize().catch(({ message }: Error) => sentences.add(message));
  expect([...sentences]).toEqual([expect.stringMatching(/not plain text/)]);
  expect(reads).toBe(1);
  await upload('text');
  await finalize();
  world.objects.get = get;
  expect(await world.stored(id)).toMatchObject({ document: { finalized_at: expect.any(Date) } });
});

test('another upload replaces the file, and the sweeper deletes the older object', async () => {
  const first = await upload('first');
  const second = await upload('second');
  expect([await exists(first), await exists(second)]).toEqual([true, true]);
  await world.sweepFiles(world.objects);
  expect([await exists(first), await exists(second)]).toEqual([false, true]);
  expect(await world.stored(id)).toMatchObject({ document: { upload: { key: second, bytes: 6 } }, strays: [] });
});

test('a file that is replaced while it is validated is not kept unseen: the new one is validated instead', async () => {
  await upload('text');
  const { get } = world.objects;
  let replaced = false;
  world.objects.get = async (key, signal) => {
    const found = await get(key, signal);
    if (!replaced) {
      replaced = true;
      await upload('bin\0ary');
    }
    return found;
  };
  await expect(finalize()).rejects.toMatchObject(refused(/text\/plain/));
  world.objects.get = get;
  expect(await world.stored(id)).toMatchObject({ document: { finalized_at: null } });
});

test('of many uploads and finalizations at once, one file stays, and it is the validated one', async () => {
  await upload('zero');
  const keys = new Set<string>();
  const attempts = Array.from({ length: 12 }, (_, i) =>
    i % 3 === 2 ? finalize() : upload(`file ${i}`).then((key) => keys.add(key)),
  );
  await Promise.allSettled(attempts);
  await finalize();
  await world.sweepFiles(world.objects);
  const { objectKey } = await rpc.getDocumentFile(request({ id }), mine());
  expect(await exists(objectKey!)).toBe(true);
  for (const key of keys) if (key !== objectKey) expect(await exists(key)).toBe(false);
});

test('operations on documents refuse every other type by its name, and a website operation refuses a document', async () => {
  const { _id: faq } = await world.faq(account);
  const operations = [
    () => rpc.beginUpload(request({ id: faq }), mine()),
    () => rpc.completeUpload(request({ id: faq, objectKey: 'x', bytes: 1, sha256: '' }), mine()),
    () => finalize(faq),
    () => rpc.getDocumentFile(request({ id: faq }), mine()),
  ];
  for (const ask of operations) await expect(ask()).rejects.toMatchObject(refused(/an FAQ.*a document/));
  await expect(rpc.listSubPages(request({ knowledgeId: id }), mine())).rejects.toMatchObject(refused(/a document/));
});

test("every operation refuses another account's document and finds no unknown one", async () => {
  await upload('text');
  const before = await world.stored(id);
  const operations = (of: string) => [
    () => rpc.beginUpload(request({ id: of }), testCall()),
    () => rpc.completeUpload(request({ id: of, objectKey: 'x', bytes: 1, sha256: '' }), testCall()),
    () => rpc.finalizeDocument(request({ id: of }), testCall()),
    () => rpc.getDocumentFile(request({ id: of }), testCall()),
  ];
  for (const ask of operations(id)) await expect(ask()).rejects.toMatchObject({ code: 'permission_denied' });
  for (const ask of operations(randomId())) await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
  expect(await world.stored(id)).toEqual(before);
});

test('a video is created once by an operation, and its link is kept as sent', async () => {
  const call = mine();
  const videoUrl = 'https://youtu.be/dQw4w9WgXcQ?t=1';
  const [one, two] = await Promise.all([1, 2].map(() => rpc.createVideo(request({ videoUrl }), call)));
  expect(one).toEqual(two);
  expect(one!.item).toMatchObject({
    type: KnowledgeType.VIDEO,
    details: { case: 'video', value: { videoId: 'dQw4w9WgXcQ', videoUrl } },
  });
  const wrong = rpc.createVideo(request({ videoUrl: 'https://example.com/' }), mine());
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_argument' });
});
