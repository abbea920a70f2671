import { createHmac } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { ask, assistantDocs, assistants, call, conversations, QUESTION, shop, store } from '../testing/assistants.ts';

const as = (account: string, operation = randomId()) => call({ account, operation }).onward();
const open = (publicId: string) => assistants.getPublicChatbot({ publicId }, call().onward());

async function withSecret() {
  const { account, chatbot } = await shop();
  const create = async (operation = randomId()) =>
    (await assistants.createIdentitySecret({ chatbotId: chatbot.id }, as(account, operation))).secret;
  return { account, chatbot, create };
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Computes the proof of identity as a page's server does. */
function vouching(secret: string, more: { userId?: string; name?: string; email?: string; expires?: number } = {}) {
  const said = { userId: 'u1', name: '', email: '', expires: inSeconds(60), ...more };
  const signed = [said.userId, said.name, said.email, said.expires].join('\n');
  return {
    ...said,
    expires: BigInt(said.expires),
    signature: createHmac('sha256', secret).update(signed).digest('hex'),
  };
}

const verify = async (account: string, chatbotId: string, vouching: object) =>
  (await assistants.verifyVisitor({ chatbotId, ...vouching }, as(account))).verified;

test('a page vouches for its users with the secret of its chatbot', async () => {
  const { account, chatbot, create } = await withSecret();
  const secret = await create();
  const said = vouching(secret, { name: 'Ann', email: 'ann@example.com' });
  expect(await verify(account, chatbot.id, said)).toBe(true);
  expect(await verify(account, chatbot.id, { ...said, signature: said.signature.toUpperCase() })).toBe(true);
  expect(await verify(account, chatbot.id, vouching(secret))).toBe(true);
});

test('a vouching that was changed, is for another chatbot, has expired or is of an earlier secret counts for nothing', async () => {
  const { account, chatbot, create } = await withSecret();
  const other = await withSecret();
  expect(await verify(account, chatbot.id, vouching(''))).toBe(false);
  const first = await create();
  const said = vouching(first, { name: 'Ann' });
  const changed = [{ name: 'Eve' }, { email: 'e@example.com' }, { userId: 'u2' }, { expires: said.expires + 1n }];
  for (const more of [...changed, { signature: '' }, { signature: 'x' }, { signature: `${said.signature}00` }])
    expect(await verify(account, chatbot.id, { ...said, ...more })).toBe(false);
  expect(await verify(account, chatbot.id, vouching(await other.create()))).toBe(false);
  expect(await verify(account, chatbot.id, vouching(first, { expires: inSeconds(-1) }))).toBe(false);
  expect(await verify(account, chatbot.id, vouching(first, { userId: '' }))).toBe(false);
  await create();
  expect(await verify(account, chatbot.id, said)).toBe(false);
});

test('a vouching for more than a day is refused', async () => {
  const { account, chatbot, create } = await withSecret();
  const secret = await create();
  await expect(verify(account, chatbot.id, vouching(secret, { expires: inSeconds(25 * 3600) }))).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining('expires'),
  });
});

test('the same operation gives the same identity secret, another one another, and neither is stored', async () => {
  const { account, chatbot, create } = await withSecret();
  const operation = randomId();
  const secret = await create(operation);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await create(operation)).toBe(secret);
  const next = await create();
  expect(next).not.toBe(secret);
  // Repeated late, it brings nothing back.
  expect(await create(operation)).toBe(secret);
  expect(await verify(account, chatbot.id, vouching(secret))).toBe(false);
  expect(await verify(account, chatbot.id, vouching(next))).toBe(true);
  expect(JSON.stringify(await assistantDocs.find({ account }).toArray())).not.toContain(secret);
  const stranger = assistants.createIdentitySecret({ chatbotId: chatbot.id }, as(randomId()));
  await expect(stranger).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('a public page finds a chatbot by its public id, and the form that leads to a person while there is one', async () => {
  const { account, chatbot } = await shop();
  const { ticketForm } = await assistants.createTicketForm({ title: 'Person' }, as(account));
  const appearance = { ticketFormId: ticketForm!.publicId };
  await assistants.updateChatbot({ id: chatbot.id, appearance }, as(account));
  const found = await open(chatbot.publicId);
  expect(found).toMatchObject({ accountId: account, ticketFormPublicId: ticketForm!.publicId });
  expect(found.chatbot).toMatchObject({ id: chatbot.id, appearance: { ticketFormId: ticketForm!.id } });
  await assistants.deleteTicketForm({ id: ticketForm!.id }, as(account));
  expect(await open(chatbot.publicId)).toMatchObject({ ticketFormPublicId: '' });
  await store.forgetForm({ _id: ticketForm!.id, account });
  expect((await open(chatbot.publicId)).chatbot!.appearance!.ticketFormId).toBeUndefined();
  await assistants.deleteChatbot({ id: chatbot.id }, as(account));
  for (const id of [chatbot.publicId, chatbot.id, ticketForm!.publicId, ''])
    await expect(open(id)).rejects.toMatchObject({ code: Code.NotFound });
});

test('only the gateway looks up public chatbots', async () => {
  const { chatbot } = await shop();
  const asked = assistants.getPublicChatbot({ publicId: chatbot.publicId }, call({}, 10_000, 'operator').onward());
  await expect(asked).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('a visitor’s question is answered in a chat of theirs, which no other visitor can continue', async () => {
  const place = await shop();
  const visitor = { id: randomId(), name: 'Ann' };
  const first = await ask(place, { visitor });
  const { chat, messages } = await conversations.getVisitorChat(
    { chatbotId: place.chatbot.id, sessionId: first.sessionId, visitorId: visitor.id },
    as(place.account),
  );
  expect(chat).toMatchObject({ id: first.id, visitor });
  expect(messages.map(({ id, message }) => [id, message])).toEqual([
    [expect.any(String), QUESTION],
    [first.messageId, first.message],
  ]);
  expect(await ask(place, { visitor, session: first.sessionId })).toMatchObject({ id: first.id });
  await expect(ask(place, { visitor: { id: randomId() }, session: first.sessionId })).rejects.toMatchObject({
    code: Code.NotFound,
  });
});
