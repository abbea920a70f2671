import { expect, test } from '@jest/globals';
import { AiReply, AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AiState, Outcome, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { unavailable } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { gate, until } from '@parley/runtime/testing';
import {
  assistants,
  attach,
  call,
  conversations,
  knowledge,
  model,
  QUESTION,
  startAssistants,
  threadDocs,
} from './testing/assistants.ts';
import { form, opened, settled } from './testing/tickets.ts';

test('a ticket gets a draft, which is no message until the owner sends it', async () => {
  const place = await form();
  const thread = await opened(place);
  expect(await settled(place, thread)).toEqual({ ai: AiState.DRAFT, said: [QUESTION] });
  const { draft } = await conversations.getDraft({ thread }, place.as());
  expect(draft!.answer!.message).toContain('nine in the morning');
  const { items } = await conversations.listEvidence({ thread }, place.as());
  expect(items).toMatchObject([{ outcome: Outcome.ANSWERED, cited: [1] }]);
});

test('where the owner lets it, a sure answer is said once, however many workers there are', async () => {
  await Promise.all(
    [1, 2].map(() => startAssistants({ name: 'test/2', answer: (...asked) => model.answer(...asked) })),
  );
  const place = await form(AiReply.AUTO);
  const threads = await Promise.all(Array.from({ length: 5 }, () => opened(place)));
  for (const thread of threads) {
    const { ai, said } = await settled(place, thread);
    expect(ai).toBe(AiState.ANSWERED);
    expect(said).toEqual([QUESTION, expect.stringContaining('nine in the morning')]);
  }
});

test('an answer that is not sure becomes a draft all the same', async () => {
  const { answer } = model;
  model.answer = async (...asked) => ({ ...(await answer(...asked)), confidence: 'low' });
  const place = await form(AiReply.AUTO);
  expect((await settled(place, await opened(place))).ai).toBe(AiState.DRAFT);
});

test('a sure answer to a mail whose sender nobody vouches for becomes a draft', async () => {
  const account = randomId();
  const as = (role?: string) => call({ account }, 10_000, role).onward();
  const cases = { aiReply: AiReply.AUTO };
  const { emailInbox } = await assistants.createEmailInbox(
    { alias: `a${account.slice(0, 8)}`, title: 'Mail', cases },
    as(),
  );
  const assistantId = emailInbox!.id;
  await attach(account, assistantId, knowledge.add(account), AssistantKind.EMAIL_INBOX);
  const mail = { fromEmail: 'ann@example.com', authenticated: false };
  const received = {
    kind: ThreadKind.EMAIL,
    assistantId,
    message: QUESTION,
    messageId: `${account}@example.com`,
    mail,
  };
  const { thread } = await conversations.receiveMail(received, as('mail'));
  const place = { account, assistantId, as: () => as() };
  expect(await settled(place, thread!)).toEqual({ ai: AiState.DRAFT, said: [QUESTION] });
});

test('without an answer in the knowledge, or where the AI is off, nothing is said and nothing drafted', async () => {
  knowledge.passagesFor['Who won the cup?'] = [];
  const [asking, off] = [await form(AiReply.AUTO), await form(AiReply.OFF)];
  const none = { ai: AiState.OFF, said: ['Who won the cup?'] };
  const thread = await opened(asking, 'Who won the cup?');
  expect(await settled(asking, thread)).toEqual(none);
  const { items } = await conversations.listEvidence({ thread }, asking.as());
  expect(items).toMatchObject([{ outcome: Outcome.NO_EVIDENCE, cited: [] }]);
  expect(await settled(off, await opened(off))).toEqual({ ai: AiState.OFF, said: [QUESTION] });
});

test('while the model is unavailable the message waits, and the attempt does not count', async () => {
  model.answer = async () => {
    throw unavailable('The model is unavailable.');
  };
  const place = await form();
  const thread = await opened(place);
  const pending = async () => (await threadDocs.findOne({ _id: thread.id as never }))!['pending'];
  const postponed = (await until(pending, ({ until }) => until.getTime() > Date.now() + 20_000)) as {
    attempts: number;
  };
  expect(postponed.attempts).toBe(0);
});

test('a message that can not be answered is tried three times, then left to a person', async () => {
  const { answer } = model;
  let tried = 0;
  model.answer = async (...asked) => {
    tried += 1;
    // No answer may be as long.
    return { ...(await answer(...asked)), message: 'x'.repeat(100_001) };
  };
  const place = await form();
  const thread = await opened(place);
  const one = { _id: thread.id as never };
  await until(async () => {
    // Ends the pause after an attempt, which is longer than a claim.
    const paused = { ...one, 'pending.until': { $gt: new Date(Date.now() + 40_000) } };
    await threadDocs.updateOne(paused, { $set: { 'pending.until': new Date(0) } });
    return (await threadDocs.findOne(one))!['pending'] === null;
  });
  expect(tried).toBe(3);
  expect(await settled(place, thread)).toEqual({ ai: AiState.OFF, said: [QUESTION] });
});

test('a person who takes over while the AI is at work is not talked over', async () => {
  const [begun, go] = [gate(), gate()];
  const { answer } = model;
  model.answer = async (...asked) => {
    begun.open();
    await go.opened;
    return answer(...asked);
  };
  const place = await form(AiReply.AUTO);
  const thread = await opened(place);
  await begun.opened;
  await conversations.replyToThread({ thread, message: 'I will look at it.' }, place.as());
  go.open();
  expect(await settled(place, thread)).toEqual({ ai: AiState.HELD, said: [QUESTION, 'I will look at it.'] });
});

test('addresses hear of a new ticket, and of one that waits for them', async () => {
  const place = await form(AiReply.OFF, ['owner@example.com']);
  await opened(place);
  const notices = () => noticesOf(place.account);
  await until(async () => (await notices()).length === 2);
  expect((await notices()).map(({ topic, address }) => `${topic} ${address}`).sort()).toEqual([
    'new owner@example.com',
    'waiting owner@example.com',
  ]);
});

const noticesOf = (account: string) => threadDocs.db.collection('notices').find({ account }).toArray();
