import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import {
  AiState,
  Confidence,
  Outcome,
  ThreadStatus as Status,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { contextSigner, monotonicNow, randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { storesOn } from '../store/testing/threads.ts';
import { conversations, database, secret, stored, threads } from '../testing/conversations.ts';
import { as, asWorker, claimDue, conversationOf, type Opened, open } from '../testing/tickets.ts';

const evidence = { outcome: Outcome.ANSWERED, answerer: 'a/1', offered: [], cited: [] };
const draftAnswer = { message: 'Maybe [1].', sources: [{ n: 1, title: 'T', url: '' }], confidence: Confidence.LOW };

async function drafted() {
  const opened = await open();
  const claim = await claimDue(opened.operation);
  await conversations.storeDraft({ claim, answer: draftAnswer, evidence }, as(opened.account)());
  return { ...opened, claim };
}

const aiOf = async ({ account, ref: thread }: Opened) =>
  (await conversations.getThread({ thread }, as(account)())).thread!.ai;
const evidenceOf = async ({ account, ref: thread }: Opened) =>
  (await conversations.listEvidence({ thread }, as(account)())).items;
const claimAny = (exceptAccounts: string[] = []) =>
  conversations.claimDueAnswer({ lease: durationFromMs(30_000), exceptAccounts }, asWorker());
const drain = async () => {
  while ((await claimAny()).due);
};

test('a message is answered when it has been quiet for a while; each new one begins the quiet time again', async () => {
  const { pendingCreations, people, dueAnswers } = storesOn(database(), undefined, { quietMs: 60_000 });
  const [account, assistant, last] = [randomId(), randomId(), randomId()];
  const opening = { kind: 'ticket', email: 'ann@example.com', name: '', subject: '', message: 'Why?' } as const;
  const { _id: id } = await pendingCreations.open(account, assistant, randomId(), opening);
  const untilOf = async () => (await stored(id)).pending!.until.getTime();
  const first = await untilOf();
  expect(first).toBeGreaterThan(Date.now() + 50_000);
  await people.addUserMessage({ account, kind: 'ticket', assistant, id }, last, 'And how?');
  expect(await untilOf()).toBeGreaterThan(first);
  await drain();
  await threads.updateOne({ _id: id }, { $set: { 'pending.until': new Date(0) } });
  expect(await dueAnswers.claim(30_000, [], 20)).toMatchObject({
    claim: { thread: id, entry: last },
    said: [{ text: 'Why?' }, { text: 'And how?' }],
  });
});

test('answers are claimed in the order in which they are due, one worker each, without the accounts that have enough', async () => {
  await drain();
  const [first, second] = [await open(), await open({ fromEmail: 'bob@example.com' })];
  const [{ due }, other] = await Promise.all([claimAny(), claimAny()]);
  expect(new Set([due, other.due].map((one) => one!.accountId))).toEqual(new Set([first.account, second.account]));
  expect((await claimAny()).due).toBeUndefined();
  const third = await open();
  expect((await claimAny([third.account])).due).toBeUndefined();
  expect((await claimAny([first.account])).due).toMatchObject({
    accountId: third.account,
    attempts: 1,
    authenticated: true,
    conversation: [{ message: 'Why?' }],
  });
});

test('only the worker in the assistants service looks for due answers', async () => {
  const asGateway = testCall({ sign: contextSigner(secret, 'gateway'), deadline: monotonicNow() + 5_000 }).onward();
  await expect(conversations.claimDueAnswer({ lease: durationFromMs(30_000) }, asGateway)).rejects.toMatchObject({
    code: Code.PermissionDenied,
  });
});

test('a claim that expired or was given back is due again, and its attempts count unless they say not to', async () => {
  const { account, operation, thread } = await open();
  const attemptsOf = async () => (await stored(thread.id)).pending!.attempts;
  const claim = await claimDue(operation);
  await threads.updateOne({ _id: thread.id }, { $set: { 'pending.until': new Date(0) } });
  const second = await claimDue(operation);
  expect(await attemptsOf()).toBe(2);
  await conversations.postponeAnswer({ claim, delay: durationFromMs(0), counts: true }, as(account)());
  await expect(claimDue(operation)).rejects.toThrow();
  await conversations.postponeAnswer({ claim: second, delay: durationFromMs(0), counts: false }, as(account)());
  const third = await claimDue(operation);
  expect(await attemptsOf()).toBe(2);
  await conversations.postponeAnswer({ claim: third, delay: durationFromMs(60_000), counts: true }, as(account)());
  await expect(claimDue(operation)).rejects.toThrow();
});

test('a draft is read, changed and sent: once, as the owner, and the AI may go on', async () => {
  const opened = await drafted();
  const { account, ref: thread } = opened;
  expect(await aiOf(opened)).toBe(AiState.DRAFT);
  expect(await conversationOf(opened)).toEqual(['user: Why?']);
  expect(await evidenceOf(opened)).toMatchObject([{ entry: opened.operation }]);
  const { draft } = await conversations.getDraft({ thread }, as(account)());
  expect(draft!.answer).toMatchObject(draftAnswer);
  const changed = await conversations.changeDraft({ thread, message: 'Surely.' }, as(account)());
  expect(changed.draft!.answer).toMatchObject({ message: 'Surely.', sources: [] });
  const op = randomId();
  for (const operation of [op, op]) await conversations.sendDraft({ thread }, as(account)(operation));
  await expect(conversations.sendDraft({ thread }, as(account)())).rejects.toMatchObject({ code: Code.NotFound });
  expect(await conversationOf(opened)).toEqual(['user: Why?', 'assistant: Surely.']);
  expect((await stored(thread.id)).last).toMatchObject({ by: 'owner', in_reply_to: opened.operation });
  expect(await aiOf(opened)).toBe(AiState.ANSWERED);
  await conversations.addUserMessage({ thread, message: 'And?' }, as(account)());
  expect(await aiOf(opened)).toBe(AiState.PENDING);
});

test('a draft that is sent as it is, is the answer of the AI, with its evidence', async () => {
  const opened = await drafted();
  const { account, ref: thread } = opened;
  await Promise.allSettled([1, 2, 3].map(() => conversations.sendDraft({ thread }, as(account)())));
  expect(await conversationOf(opened)).toEqual(['user: Why?', 'assistant: Maybe [1].']);
  const { last } = await stored(thread.id);
  expect(last).toMatchObject({ by: 'ai', confidence: 'low', sources: draftAnswer.sources });
  expect(await evidenceOf(opened)).toMatchObject([{ entry: last!._id, outcome: Outcome.ANSWERED }]);
});

test.each<[string, AiState, (thread: Opened['ref'], options: ReturnType<ReturnType<typeof as>>) => Promise<unknown>]>([
  ['a newer message', AiState.PENDING, (thread, o) => conversations.addUserMessage({ thread, message: 'And?' }, o)],
  ["an owner's message", AiState.HELD, (thread, o) => conversations.replyToThread({ thread, message: 'So.' }, o)],
  ['a block', AiState.OFF, (thread, o) => conversations.blockThread({ thread }, o)],
  ['discarding it', AiState.OFF, (thread, o) => conversations.discardDraft({ thread }, o)],
])('%s ends a draft', async (_, ai, happen) => {
  const opened = await drafted();
  const { account, ref: thread } = opened;
  await happen(thread, as(account)());
  expect(await aiOf(opened)).toBe(ai);
  await expect(conversations.getDraft({ thread }, as(account)())).rejects.toMatchObject({ code: Code.NotFound });
  await conversations.discardDraft({ thread }, as(account)());
});

test('a person who takes over comes before a draft, which stays until the AI is let in again', async () => {
  const opened = await drafted();
  const { account, ref: thread } = opened;
  expect(await conversations.setAi({ thread, on: false }, as(account)())).toMatchObject({ ai: AiState.HELD });
  expect(await aiOf(opened)).toBe(AiState.HELD);
  const { draft } = await conversations.getDraft({ thread }, as(account)());
  expect(draft!.answer).toMatchObject(draftAnswer);
  expect(await conversations.setAi({ thread, on: true }, as(account)())).toMatchObject({ ai: AiState.DRAFT });
});

test('the AI stays out of a thread that a person has taken over until the owner hands it back, also by setting the same status; then answers what is unanswered', async () => {
  const opened = await open();
  const { account, ref: thread } = opened;
  const [say, set] = [
    (message: string) => conversations.addUserMessage({ thread, message }, as(account)()),
    (on: boolean) => conversations.setAi({ thread, on }, as(account)()),
  ];
  await conversations.updateThread({ thread, status: Status.OPEN }, as(account)());
  expect(await aiOf(opened)).toBe(AiState.HELD);
  await conversations.replyToThread({ thread, message: 'I see to it.' }, as(account)());
  await say('Thanks.');
  expect(await aiOf(opened)).toBe(AiState.HELD);
  for (let i = 0; i < 2; i++) expect(await set(true)).toMatchObject({ ai: AiState.PENDING });
  expect(await set(false)).toMatchObject({ ai: AiState.HELD });
  await conversations.replyToThread({ thread, message: 'You are welcome.' }, as(account)());
  expect(await set(true)).toMatchObject({ ai: AiState.OFF });
  await say('One more thing.');
  expect(await aiOf(opened)).toBe(AiState.PENDING);
});

test('an assistant without AI ends the claim, and a failure says so; the thread waits for a person', async () => {
  for (const end of ['declineAnswer', 'failQuestion'] as const) {
    const opened = await open();
    await conversations[end]({ claim: await claimDue(opened.operation) }, as(opened.account)());
    expect(await aiOf(opened)).toBe(AiState.OFF);
  }
});

test.each([Status.RESOLVED, Status.CLOSED])(
  'a message of the user reopens a thread of status %s, and history says so',
  async (status) => {
    const { account, ref: thread } = await open();
    await conversations.updateThread({ thread, status }, as(account)());
    const operation = randomId();
    for (let i = 0; i < 2; i++)
      await conversations.addUserMessage({ thread, message: 'Not yet.' }, as(account)(operation));
    const read = await conversations.getThread({ thread }, as(account)());
    expect(read.thread).toMatchObject({ status: Status.OPEN, ai: AiState.HELD });
    const { items } = await conversations.listChanges({ thread }, as(account)());
    expect(items).toMatchObject([
      { by: 'user', field: 'status', to: 'open' },
      { by: 'key', field: 'status' },
    ]);
  },
);

test('a message of the user leaves any other status as it is', async () => {
  const { account, ref: thread } = await open();
  await conversations.updateThread({ thread, status: Status.NEED_MORE_INFO }, as(account)());
  await conversations.addUserMessage({ thread, message: 'Here it is.' }, as(account)());
  const read = await conversations.getThread({ thread }, as(account)());
  expect(read.thread).toMatchObject({ status: Status.NEED_MORE_INFO });
});
