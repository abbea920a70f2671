import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { NoticeTopic, MailOutcome as Outcome } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { conversations } from '../testing/conversations.ts';
import { asMail, claimMail, claimMailOf, endMail, mails, receive } from '../testing/mails.ts';
import { as, open } from '../testing/tickets.ts';

const attachments = [
  { name: 'a.png', type: 'image/png', size: 1 },
  { name: 'b.txt', type: 'text/plain', size: 2 },
];

test('the files of a form are listed with its message, and found in their folder; a second attempt keeps the first ones', async () => {
  const [account, operation, assistantId, attachmentsFolder] = [randomId(), randomId(), randomId(), randomId()];
  const ticket = await open({ account, operation, assistantId, attachments, attachmentsFolder });
  const { ref: thread } = ticket;
  const request = { kind: thread.kind, assistantId, fromEmail: 'ann@example.com', message: 'Why?', attachments };
  const again = { ...request, attachmentsFolder: randomId() };
  expect(await conversations.openThread(again, as(account)(operation))).toMatchObject({ attachmentsFolder });
  const { conversation } = await conversations.getThread({ thread }, as(account)());
  expect(conversation).toMatchObject([{ attachments, message: 'Why?' }]);
  const [, { id: value } = {}] = conversation[0]!.attachments;
  const file = { case: 'attachmentId', value: value! } as const;
  expect(await conversations.findMailFile({ thread, file }, as(account)())).toMatchObject({
    ...{ key: `mail/${account}/${assistantId}/${attachmentsFolder}/1.bin`, attachment: attachments[1] },
  });
  const raw = conversations.findMailFile({ thread }, as(account)());
  await expect(raw).rejects.toMatchObject({ code: Code.NotFound });
});

test('a folder of files is named by a UUID, and nothing else', async () => {
  for (const attachmentsFolder of ['', '../other', 'a/b'])
    await expect(open({ attachments, attachmentsFolder })).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test('the link to a ticket is mailed to its address, once; a reply to that mail comes into the ticket', async () => {
  const ticket = await open({ mailsLink: true });
  const { account, operation, assistantId, ref } = ticket;
  const claimed = await claimMailOf(account);
  expect(claimed).toMatchObject({
    ...{ toEmail: 'ann@example.com', toName: '', threadId: ref.id, link: 0, claim: { mailId: operation } },
    content: { case: 'ticketLink' },
  });
  await endMail(claimed.claim!, Outcome.SENT);
  expect((await claimMail()).accountId).not.toBe(account);
  const reply = await receive({ account, assistantId, kind: ref.kind, sentMailId: operation, authenticated: false });
  expect(reply.ref.id).toBe(ref.id);
  const { conversation } = await conversations.getThread({ thread: ref }, as(account)());
  expect(conversation.map(({ delivery }) => delivery)).toEqual([undefined, undefined]);
});

test('of a ticket of a blocked address, no link is mailed', async () => {
  const ticket = await open({ mailsLink: true });
  await conversations.blockThread({ thread: ticket.ref }, as(ticket.account)());
  const mail = await until(
    async () => (await claimMail()) && mails.findOne({ account: ticket.account }),
    (found) => found?.delivery?.state === 'failed',
  );
  expect(mail).toMatchObject({ delivery: { reason: 'The address is blocked.' } });
});

test('an address gets five links an hour from an account, whoever types it', async () => {
  const account = randomId();
  for (let i = 0; i < 6; i++) {
    await open({ account, mailsLink: true, fromEmail: i % 2 ? 'Ann@example.com' : 'ann@example.com' });
    await until(async () => (await mails.countDocuments({ account })) === i + 1);
  }
  expect(await mails.countDocuments({ account, 'delivery.state': 'queued' })).toBe(5);
  expect(await mails.countDocuments({ account, 'delivery.state': 'failed' })).toBe(1);
});

test('once its links are revoked, a ticket takes messages by a new one only', async () => {
  const { account, ref: thread } = await open({ mailsLink: true });
  const say = (link: number) => conversations.addUserMessage({ thread, message: 'And?', link }, as(account)());
  await say(0);
  await conversations.revokeLink({ thread }, as(account)());
  await expect(say(0)).rejects.toMatchObject({ code: Code.NotFound });
  const read = await conversations.getThread({ thread }, as(account)());
  expect(read.thread).toMatchObject({ link: 1 });
  expect(read.conversation).toHaveLength(2);
  await say(1);
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)());
  const claimed = await until(
    () => claimMailOf(account),
    ({ content }) => content.case === 'message',
  );
  expect(claimed).toMatchObject({ link: 1 });
});

test('whom a notice tells is found by its id, by the mail service only', async () => {
  const { account, assistantId, ref: thread } = await open();
  const told = { thread, topic: NoticeTopic.NEW, addresses: ['owner@example.com'] };
  await conversations.queueNotice(told, as(account)());
  const { claim } = await claimMailOf(account);
  const id = claim!.mailId;
  const found = await conversations.findNotice({ id }, asMail());
  expect(found).toMatchObject({ accountId: account, assistantId, address: 'owner@example.com' });
  await expect(conversations.findNotice({ id: randomId() }, asMail())).rejects.toMatchObject({ code: Code.NotFound });
  await expect(conversations.findNotice({ id }, as(account)())).rejects.toThrow('Only the mail may do this.');
});
