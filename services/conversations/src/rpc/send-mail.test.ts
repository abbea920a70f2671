import { expect, test } from '@jest/globals';
import {
  DeliveryState,
  NoticeTopic,
  MailOutcome as Outcome,
  ThreadStatus as Status,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { answer, conversations, database } from '../testing/conversations.ts';
import { asMail, claimMail, claimMailOf, endMail, mails, receive } from '../testing/mails.ts';
import { as, claimDue, type Opened, open } from '../testing/tickets.ts';

type Received = Awaited<ReturnType<typeof receive>>;
type Place = Pick<Opened, 'account' | 'ref'>;

const reply = ({ account, ref: thread }: Place, more: object = {}) =>
  conversations.replyToThread({ thread, message: 'So.', ...more }, as(account)());

const deliveryOf = async ({ account, ref: thread }: Place) =>
  (await conversations.getThread({ thread }, as(account)())).conversation.at(-1)!.delivery;

const answered = async ({ account, operation }: Received) =>
  answer({ account, claim: await claimDue(operation) }, 'Because.');

const makeDue = (account: string) =>
  mails.updateMany({ account, due: { $exists: true } }, { $set: { due: new Date(0) } });

test('mails and notices of accounts that have their share are left to the others', async () => {
  const [busy, other] = [await receive(), await receive()];
  for (const received of [busy, other]) {
    await reply(received);
    await conversations.queueNotice(
      { thread: received.ref, topic: NoticeTopic.NEW, addresses: ['owner@example.com'] },
      as(received.account)(),
    );
  }
  const claimed: string[] = [];
  await until(async () => {
    for (let next = await claimMail(30_000, [busy.account]); next.claim; next = await claimMail(30_000, [busy.account]))
      claimed.push(next.accountId);
    return claimed.filter((account) => account === other.account).length === 2;
  });
  expect(claimed).not.toContain(busy.account);
  expect((await claimMailOf(busy.account)).accountId).toBe(busy.account);
});

test('a reply is queued in its own write and sent once, with what a mail of its thread needs', async () => {
  const received = await receive();
  const { account, assistantId, ref, messageId } = received;
  const persona = { id: randomId(), name: 'Joy' };
  await reply(received, { persona });
  expect(await deliveryOf(received)).toMatchObject({ state: DeliveryState.QUEUED });
  const claimed = await claimMailOf(account);
  expect(claimed).toMatchObject({
    ...{ accountId: account, kind: ThreadKind.EMAIL, assistantId, threadId: ref.id },
    ...{ toEmail: 'ann@example.com', toName: 'Ann', messageId: `${claimed.claim!.mailId}@mail.example` },
    content: {
      case: 'message',
      value: { text: 'So.', subject: 'Lamp', senderName: 'Joy', automatic: false, references: [messageId] },
    },
  });
  expect((await claimMail()).accountId).not.toBe(account);
  for (let i = 0; i < 2; i++) await endMail(claimed.claim!, Outcome.SENT);
  expect(await deliveryOf(received)).toMatchObject({ state: DeliveryState.SENT, reason: '' });
  await makeDue(account);
  expect((await claimMail()).accountId).not.toBe(account);
});

test('the answer of the AI and a draft that is sent are mailed; a chat and a blocked thread are not', async () => {
  const received = await receive();
  await answered(received);
  expect((await claimMailOf(received.account)).content).toMatchObject({ value: { text: 'Because.', automatic: true } });
  const ticket = await open();
  const claim = await claimDue(ticket.operation);
  await conversations.storeDraft({ claim, answer: { message: 'Maybe.' } }, as(ticket.account)());
  await conversations.sendDraft({ thread: ticket.ref }, as(ticket.account)());
  expect((await claimMailOf(ticket.account)).content).toMatchObject({ value: { text: 'Maybe.', automatic: false } });
  await conversations.blockThread({ thread: ticket.ref }, as(ticket.account)());
  await reply(ticket);
  expect(await deliveryOf(ticket)).toBeUndefined();
});

test.each<[string, string, (received: Received, options: ReturnType<ReturnType<typeof as>>) => Promise<unknown>]>([
  ['a block', 'The address is blocked.', ({ ref: thread }, options) => conversations.blockThread({ thread }, options)],
  [
    'a person who takes over',
    'A person took over before it was sent.',
    ({ ref: thread }, options) => conversations.updateThread({ thread, status: Status.ASSIGNED }, options),
  ],
])('%s cancels the mail of an answer of the AI that is still queued', async (_, reason, happen) => {
  const received = await receive();
  await answered(received);
  await until(async () => (await mails.countDocuments({ account: received.account, direction: 'out' })) === 1);
  await happen(received, as(received.account)());
  expect((await claimMail()).accountId).not.toBe(received.account);
  await until(async () => (await deliveryOf(received))!.state === DeliveryState.FAILED);
  expect(await deliveryOf(received)).toMatchObject({ reason });
});

test('a mail whose sender died is due again; one that can not be sent is tried later each time, for two days', async () => {
  const received = await receive();
  const { account } = received;
  await reply(received);
  const first = await claimMailOf(account);
  await makeDue(account);
  const second = await claimMailOf(account);
  await endMail(first.claim!, Outcome.FAILED, 'Too late.');
  expect((await deliveryOf(received))!.state).toBe(DeliveryState.QUEUED);
  await endMail(second.claim!, Outcome.POSTPONED, 'Busy.');
  expect(await deliveryOf(received)).toMatchObject({ state: DeliveryState.QUEUED, reason: 'Busy.' });
  const waitOf = async () => (await mails.findOne({ account, direction: 'out' }))!.due!.getTime() - Date.now();
  expect(await waitOf()).toBeGreaterThan(100_000);
  await mails.updateMany({ account, direction: 'out' }, { $set: { due: new Date(0), attempts: 60 } });
  await endMail((await claimMailOf(account)).claim!, Outcome.POSTPONED, 'Busy.');
  expect(await waitOf()).toBeLessThan(5 * 3_600_000);
  await mails.updateMany(
    { account, direction: 'out' },
    { $set: { due: new Date(0), created_at: new Date(Date.now() - 49 * 3_600_000) } },
  );
  await endMail((await claimMailOf(account)).claim!, Outcome.POSTPONED, 'Still busy.');
  expect(await deliveryOf(received)).toMatchObject({ state: DeliveryState.FAILED, reason: 'Still busy.' });
  await makeDue(account);
  expect((await claimMail()).accountId).not.toBe(account);
});

test('a bounce marks a mail that was sent as failed, and only such a one', async () => {
  const received = await receive();
  await reply(received);
  const { claim } = await claimMailOf(received.account);
  const bounce = () => conversations.reportBounce({ sentMailId: claim!.mailId, reason: '550 No such user' }, asMail());
  await bounce();
  expect((await deliveryOf(received))!.state).toBe(DeliveryState.QUEUED);
  await endMail(claim!, Outcome.SENT);
  for (let i = 0; i < 2; i++) await bounce();
  expect(await deliveryOf(received)).toMatchObject({ state: DeliveryState.FAILED, reason: '550 No such user' });
});

test('an address of the owner is told of threads at once, and then at most once an hour', async () => {
  const [first, second] = [await receive(), await receive()];
  const { account, assistantId } = first;
  const notices = database().collection('notices');
  const tell = ({ ref }: Received, topic: NoticeTopic = NoticeTopic.NEW) =>
    conversations.queueNotice({ thread: ref, topic, addresses: ['owner@example.com'] }, as(account)());
  const same = { ...second, ref: { ...second.ref, assistantId } };
  for (let i = 0; i < 2; i++) await tell(first);
  const claimed = await claimMailOf(account);
  expect(claimed).toMatchObject({
    ...{ assistantId, threadId: first.ref.id, toEmail: 'owner@example.com' },
    content: { case: 'notice', value: { topic: NoticeTopic.NEW, threads: 1 } },
  });
  await tell(same);
  await endMail(claimed.claim!, Outcome.SENT);
  await tell({ ...same, ref: { ...same.ref, id: randomId() } });
  expect((await claimMail()).accountId).not.toBe(account);
  await tell(first, NoticeTopic.WAITING);
  expect((await claimMailOf(account)).content).toMatchObject({ value: { topic: NoticeTopic.WAITING } });
  await notices.updateMany({ account, topic: 'new' }, { $set: { due: new Date(0) } });
  const later = await claimMailOf(account);
  expect(later.content).toMatchObject({ value: { topic: NoticeTopic.NEW, threads: 2 } });
  expect(later.messageId).not.toBe(claimed.messageId);
  await endMail(later.claim!, Outcome.SENT);
  expect(await notices.countDocuments({ account, topic: 'new', due: { $exists: true } })).toBe(0);
  await tell(first);
  expect((await claimMail()).accountId).not.toBe(account);
});

test('only the mail service sends mail', async () => {
  await expect(conversations.claimMail({}, as(randomId())())).rejects.toThrow('Only the mail may do this.');
});
