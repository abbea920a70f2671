import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { publicId } from '../domain/public-id.ts';
import { assistantDocs, assistants, call } from '../testing/assistants.ts';

const create = (account: string, chatbot: { title?: string; allowedDomains?: string[] } = {}, operation = randomId()) =>
  assistants.createChatbot({ title: 'Bot', ...chatbot }, call({ account, operation }).onward());
const get = (account: string, id: string) => assistants.getChatbot({ id }, call({ account }).onward());
const list = async (account: string) => (await assistants.listChatbots({}, call({ account }).onward())).chatbots;

test('a chatbot is found by its id, in any case, and by its public id', async () => {
  const account = randomId();
  const { chatbot } = await create(account, { title: '$name', allowedDomains: ['Shop.example'] });
  expect(chatbot).toMatchObject({ title: '$name', allowedDomains: ['shop.example'] });
  expect(chatbot!.publicId).toMatch(/^[0-9A-Za-z]{12}$/);
  for (const id of [chatbot!.id, chatbot!.id.toUpperCase(), chatbot!.publicId])
    expect((await get(account, id)).chatbot).toEqual(chatbot);
});

test('the same operation creates one chatbot, even concurrently', async () => {
  const [account, operation] = [randomId(), randomId()];
  const made = await Promise.all(Array.from({ length: 4 }, () => create(account, {}, operation)));
  expect(new Set(made.map(({ chatbot }) => chatbot!.publicId)).size).toBe(1);
  expect(await list(account)).toHaveLength(1);
});

test('a public id that is taken is not assigned again', async () => {
  const [account, operation] = [randomId(), randomId()];
  const { chatbot: other } = await create(account);
  const wanted = publicId(operation, 0);
  await assistantDocs.updateOne({ _id: other!.id }, { $set: { public_id: wanted } });
  const { chatbot } = await create(account, {}, operation);
  expect(chatbot!.publicId).toBe(publicId(operation, 1));
  expect((await get(account, wanted)).chatbot!.id).toBe(other!.id);
});

test('another account’s chatbot is refused, an unknown one is not found', async () => {
  const { chatbot } = await create(randomId());
  for (const id of [chatbot!.id, chatbot!.publicId])
    await expect(get(randomId(), id)).rejects.toMatchObject({ code: Code.PermissionDenied });
  for (const id of [randomId(), 'abcdefghijkl', ''])
    await expect(get(randomId(), id)).rejects.toMatchObject({ code: Code.NotFound });
});

test("chatbots are listed newest first, only the account's own", async () => {
  const account = randomId();
  for (const title of ['a', 'b', 'c']) await create(account, { title });
  await create(randomId());
  expect((await list(account)).map((c) => c.title)).toEqual(['c', 'b', 'a']);
});

test('a blank title or a domain with a scheme is refused, and nothing is stored', async () => {
  const account = randomId();
  for (const wrong of [{ title: ' ' }, { allowedDomains: ['https://shop.example'] }])
    await expect(create(account, wrong)).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(await list(account)).toEqual([]);
});

test('an account can have 1,000 chatbots and no more; the operation of one of them still finds it', async () => {
  const [account, operation] = [randomId(), randomId()];
  const { chatbot } = await create(account, {}, operation);
  const stored = (await assistantDocs.findOne({ _id: chatbot!.id }))!;
  const more = Array.from({ length: 999 }, (_, i) => ({ ...stored, _id: randomId(), public_id: `${account} ${i}` }));
  await assistantDocs.insertMany(more);
  await expect(create(account)).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining('1000'),
  });
  expect((await create(account, {}, operation)).chatbot!.id).toBe(chatbot!.id);
  expect(await list(account)).toHaveLength(1_000);
});
