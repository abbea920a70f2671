import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { AiState, ThreadStatus as Status, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { MAX_BYTES } from '../domain/limits.ts';
import { conversations, entries, stored, threads } from '../testing/conversations.ts';
import { asMail, claimMailOf, mails, receive } from '../testing/mails.ts';
import { as, conversationOf, open } from '../testing/tickets.ts';

const { EMAIL, TICKET } = ThreadKind;

const read = async (
  { account, ref: thread }: Pick<Awaited<ReturnType<typeof receive>>, 'account' | 'ref'>,
  quoted = false,
) => conversations.getThread({ thread, quoted }, as(account)());

test('a mail opens an email, with what is known of its sender, and its message waits for an answer', async () => {
  const quoted = '> Hello\n--\nAnn';
  const mail = {
    ...{ fromEmail: 'Ann@Example.com', authenticated: true, spf: 'pass', dkim: 'fail', dmarc: 'none', quoted },
    attachments: [{ name: 'lamp.png', type: 'image/png', size: 12, isInline: true }],
  };
  const received = await receive({ mail });
  expect(received.isNew).toBe(true);
  const { thread, conversation } = await read(received, true);
  expect(thread).toMatchObject({
    ...{ kind: EMAIL, subject: 'Lamp', fromEmail: 'Ann@Example.com', fromName: 'Ann' },
    ...{ status: Status.OPEN, ai: AiState.PENDING },
  });
  expect(conversation).toMatchObject([{ id: received.operation, message: 'Why?', mail }]);
  expect((await read(received)).conversation[0]!.mail!.quoted).toBe('');
});

test('the same mail again, on its own or at once, is stored once', async () => {
  const [account, operation, assistantId] = [randomId(), randomId(), randomId()];
  const same = { account, operation, assistantId, messageId: 'same@example.com' };
  const all = await Promise.all([receive(same), receive(same), receive(same)]);
  all.push(await receive(same));
  expect(new Set(all.map(({ ref }) => ref.id)).size).toBe(1);
  expect(await threads.countDocuments({ account })).toBe(1);
  expect(await conversationOf(all[0]!)).toEqual(['user: Why?']);
});

test('a reply joins its thread by a Message-ID that was received or sent, if its sender is the same and vouched for', async () => {
  const first = await receive();
  const { account, assistantId, ref: thread } = first;
  const reply = (fields: object) => receive({ account, assistantId, message: 'And?', ...fields });
  const second = await reply({ references: ['unknown@example.com', first.messageId], from: 'ANN@example.com' });
  expect(second).toMatchObject({ isNew: false, ref: { id: thread.id } });
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)());
  const { messageId } = await claimMailOf(account);
  expect(await reply({ references: [messageId] })).toMatchObject({ isNew: false, ref: { id: thread.id } });
  for (const other of [
    { references: [first.messageId], authenticated: false },
    { references: [first.messageId], from: 'eve@example.com' },
    { references: [first.messageId], assistantId: randomId() },
    { references: [first.messageId], account: randomId() },
    { references: ['unknown@example.com'] },
    {},
  ])
    expect(await reply(other)).toMatchObject({ isNew: true });
  expect(await conversationOf(first)).toEqual(['user: Why?', 'user: And?', 'assistant: So.', 'user: And?']);
});

test('a reply joins the thread of the mail whose token it carries, whoever sends it; also that of a ticket', async () => {
  const opened = await open();
  const { account, ref: thread, assistantId } = opened;
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)());
  const { claim } = await claimMailOf(account);
  const sentMailId = claim!.mailId;
  expect(await conversations.findSentMail({ id: sentMailId }, asMail())).toMatchObject({
    ...{ accountId: account, thread, toEmail: 'ann@example.com' },
  });
  const reply = { account, kind: TICKET, assistantId, sentMailId, from: 'ann@work.example', authenticated: false };
  expect(await receive({ ...reply, message: 'And?' })).toMatchObject({ isNew: false, ref: { id: thread.id } });
  expect(await conversationOf(opened)).toEqual(['user: Why?', 'assistant: So.', 'user: And?']);
  await expect(conversations.findSentMail({ id: randomId() }, asMail())).rejects.toMatchObject({ code: Code.NotFound });
});

test('a message for a thread that is full begins a new one, also when it is sent again', async () => {
  const first = await receive();
  const { account, assistantId } = first;
  await threads.updateOne({ _id: first.ref.id }, { $set: { bytes: MAX_BYTES } });
  const again = { account, assistantId, operation: randomId(), references: [first.messageId] };
  const [second, third] = [await receive(again), await receive(again)];
  expect(second).toMatchObject({ isNew: true });
  expect(third.ref.id).toBe(second.ref.id);
  expect(second.ref.id).not.toBe(first.ref.id);
});

test('what a program sends is stored, but not answered, reopens nothing, and leaves a pending answer as it is', async () => {
  const first = await receive({ automatic: true });
  const { account, assistantId, ref: thread } = first;
  const reply = (fields: object) => receive({ account, assistantId, references: [first.messageId], ...fields });
  expect((await read(first)).thread!.ai).toBe(AiState.OFF);
  const { operation } = await reply({ message: 'A person.' });
  await reply({ automatic: true, message: 'I am away.' });
  expect(await stored(thread.id)).toMatchObject({ n: 3, pending: { entry: operation } });
  await conversations.updateThread({ thread, status: Status.CLOSED }, as(account)());
  await reply({ automatic: true, message: 'Still away.' });
  expect((await read(first)).thread!.status).toBe(Status.CLOSED);
  await conversations.setAi({ thread, on: true }, as(account)());
  expect(await stored(thread.id)).toMatchObject({ pending: null });
  await reply({ message: 'Hello?' });
  expect((await read(first)).thread).toMatchObject({ status: Status.OPEN, ai: AiState.PENDING });
});

test('of what one address sends in an hour, the 21st mail and those after it are not answered', async () => {
  const account = randomId();
  for (let i = 0; i < 20; i++) await receive({ account });
  expect((await read(await receive({ account }))).thread!.ai).toBe(AiState.OFF);
  expect((await read(await receive({ account, from: 'bob@example.com' }))).thread!.ai).toBe(AiState.PENDING);
  await mails.updateMany({ account }, { $set: { created_at: new Date(Date.now() - 3_700_000) } });
  expect((await read(await receive({ account }))).thread!.ai).toBe(AiState.PENDING);
});

test('a blocked sender is refused before and after the message is known, and nothing is stored', async () => {
  const { account, assistantId, ref: thread, messageId } = await receive();
  const admit = (fields: object) =>
    conversations.admitMail({ kind: EMAIL, assistantId, fromEmail: 'ann@example.com', ...fields }, asMail(account));
  expect(await admit({})).toMatchObject({ folder: `mail/${account}/${assistantId}/` });
  await conversations.blockThread({ thread }, as(account)());
  const refused = { code: Code.PermissionDenied };
  await expect(admit({ fromEmail: 'ANN@example.com' })).rejects.toMatchObject(refused);
  await expect(admit({ fromEmail: 'bob@example.com', threadId: thread.id })).rejects.toMatchObject(refused);
  for (const references of [[], [messageId]])
    await expect(receive({ account, assistantId, references })).rejects.toMatchObject(refused);
  expect(await entries.countDocuments({ account })).toBeLessThan(2);
  expect(await admit({ fromEmail: 'bob@example.com' })).toBeDefined();
});

test('a mail for which there is no room is refused before it is stored; one that was received before is not', async () => {
  const { account, assistantId, operation } = await receive({ bytes: 9_000 });
  const admit = (bytes: number, op = randomId()) =>
    conversations.admitMail({ kind: EMAIL, assistantId, fromEmail: 'ann@example.com', bytes }, asMail(account, op));
  await admit(1_000);
  await expect(admit(1_001)).rejects.toMatchObject({ code: Code.ResourceExhausted });
  await admit(9_000, operation);
  await admit(0);
});

test('the raw message and the attachments of a thread are found in it, and nowhere else', async () => {
  const attachments = [
    { name: 'a.txt', type: 'text/plain', size: 1 },
    { name: 'b.txt', type: 'text/plain', size: 2 },
  ];
  const mail = { fromEmail: 'ann@example.com', authenticated: true, attachments };
  const received = await receive({ mail });
  const { account, assistantId, operation, ref: thread, messageId } = received;
  const second = await receive({ account, assistantId, references: [messageId] });
  const folder = `mail/${account}/${assistantId}/`;
  const find = (file: object, at = thread) => conversations.findMailFile({ thread: at, ...file }, as(account)());
  const raw = (value: string) => ({ file: { case: 'rawMessageId', value } });
  expect(await find({})).toMatchObject({ key: `${folder}${operation}/raw.eml` });
  expect(await find(raw(second.operation))).toMatchObject({ key: `${folder}${second.operation}/raw.eml` });
  const { conversation } = await read(received);
  const [, { id: value } = {}] = conversation[0]!.mail!.attachments;
  expect(await find({ file: { case: 'attachmentId', value } })).toMatchObject({
    ...{ key: `${folder}${operation}/1.bin`, attachment: attachments[1] },
  });
  const other = await receive({ account, assistantId });
  for (const [file, at] of [
    [raw(randomId())],
    [raw(operation), other.ref],
    [{ file: { case: 'attachmentId', value } }, other.ref],
    [{ file: { case: 'attachmentId', value: randomId() } }],
  ] as const)
    await expect(find(file, at)).rejects.toMatchObject({ code: Code.NotFound });
});

test.each([
  ['message_id', { messageId: '' }],
  ['references', { references: Array(51).fill('a@b') }],
  ['mail', { mail: undefined as never }],
  ['kind', { kind: ThreadKind.CHAT }],
  ['subject', { subject: 'a\r\nBcc: b@example.com' }],
])('a mail with a wrong %s is refused by its name', async (field, fields) => {
  await expect(receive(fields)).rejects.toMatchObject({
    ...{ code: Code.InvalidArgument, rawMessage: expect.stringMatching(new RegExp(`^${field} `)) },
  });
});
