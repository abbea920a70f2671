import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { Confidence, Outcome, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { storesOn } from '../store/testing/threads.ts';
import { type Asked, answer, ask, conversations, database, fail, session, stored } from '../testing/conversations.ts';
import { as, claimDue, everythingOf, open } from '../testing/tickets.ts';

const passage = (n: number) => ({
  knowledgeId: randomId(),
  passageId: randomId(),
  title: `T${n}`,
  url: 'https://t.example/1',
  score: n / 7,
});
const answered = (offered = 2) => ({
  outcome: Outcome.ANSWERED,
  answerer: 'extractive/1',
  offered: Array.from({ length: offered }, (_, i) => passage(i)),
  cited: offered < 2 ? [] : [2, 1, 2],
});
const failed = { outcome: Outcome.FAILED, answerer: 'openai/gpt-4o', offered: [], cited: [] };

const give = ({ account, claim }: Pick<Asked, 'account' | 'claim'>, evidence: object, message = 'a') =>
  conversations.answerQuestion({ claim: claim!, answer: { message, sources: [] }, evidence }, as(account)());
const failWith = ({ account, claim }: Pick<Asked, 'account' | 'claim'>, evidence: object) =>
  conversations.failQuestion({ claim: claim!, evidence }, as(account)());
const listed = (
  { account, assistant, thread: id }: Pick<Asked, 'account' | 'assistant' | 'thread'>,
  more: object = {},
) =>
  conversations.listEvidence({ thread: { kind: ThreadKind.CHAT, assistantId: assistant, id }, ...more }, as(account)());

test('what an answer rests on is listed newest first, page by page, from the first read on', async () => {
  const place = await session();
  const rested = [];
  for (let i = 1; i <= 3; i++) {
    const evidence = i === 2 ? { ...answered(0), outcome: Outcome.NO_EVIDENCE } : answered();
    const asked = await ask({ ...place, question: `q${i}` });
    await give(asked, evidence);
    rested.unshift(evidence);
    expect((await listed(place)).total).toBe(i);
  }
  const first = await listed(place, { limit: 2 });
  const second = await listed(place, { limit: 2, nextCursor: first.nextCursor });
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  const items = [...first.items, ...second.items];
  expect(items).toMatchObject(
    rested.map((evidence) => ({ ...evidence, cited: evidence.offered.length ? [1, 2] : [] })),
  );
  const answers = (await everythingOf(place.account)).entries as { _id: string; n: number; by: string }[];
  const ids = answers
    .filter(({ by }) => by === 'ai')
    .sort((a, b) => b.n - a.n)
    .map(({ _id }) => _id);
  // The session's first answer came without evidence.
  expect(items.map(({ entry }) => entry)).toEqual(ids.slice(0, -1));
});

test('a failure is listed under the question until the question is answered; a late failure changes nothing', async () => {
  const place = await session();
  const operation = randomId();
  const asked = await ask({ ...place, operation, question: 'q1' });
  await failWith(asked, failed);
  expect((await listed(place)).items).toMatchObject([{ ...failed, entry: operation }]);
  const again = await ask({ ...place, operation, question: 'q1' });
  await give(again, answered());
  await failWith(again, failed);
  await failWith(asked, failed);
  const { items } = await listed(place);
  expect(items).toMatchObject([{ outcome: Outcome.ANSWERED, answerer: 'extractive/1' }]);
  expect(items[0]!.entry).not.toBe(operation);
});

test('evidence of a lost claim is not stored, and without evidence nothing is', async () => {
  const asked = await ask();
  const stranger = { ...asked, account: randomId() };
  await failWith(stranger, failed);
  await expect(give(stranger, answered())).rejects.toMatchObject({ code: Code.NotFound });
  await fail(asked);
  await expect(give(asked, answered())).rejects.toMatchObject({ code: Code.Aborted });
  expect((await listed(asked)).items).toEqual([]);
  for (const account of [asked.account, stranger.account]) expect((await everythingOf(account)).evidence).toEqual([]);
});

test.each([Confidence.HIGH, Confidence.LOW, Confidence.UNSPECIFIED])(
  'how sure an answer is (%i) comes back on every retry, and with its evidence',
  async (confidence) => {
    const asked = await ask();
    const given = { message: 'a', sources: [], confidence };
    const evidence = { ...answered(), confidence };
    const { answer } = await conversations.answerQuestion(
      { claim: asked.claim!, answer: given, evidence },
      as(asked.account)(),
    );
    expect(answer).toMatchObject(given);
    const again = { ...asked, session: '' };
    expect((await ask(again)).given).toMatchObject(given);
    // The next question moves the answer out of the thread.
    await ask({ ...asked, operation: randomId(), question: 'And?' });
    expect((await ask(again)).given).toMatchObject(given);
    expect((await listed(asked)).items).toMatchObject([{ confidence }]);
  },
);

test('a confidence that this version does not know is refused, and nothing is stored', async () => {
  const asked = await ask();
  const unknown = 9 as Confidence;
  const answering = (answer: object, evidence: object) =>
    conversations.answerQuestion(
      { claim: asked.claim!, answer: { message: 'a', ...answer }, evidence: { ...answered(), ...evidence } },
      as(asked.account)(),
    );
  await expect(answering({ confidence: unknown }, {})).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringMatching(/^answer\.confidence /),
  });
  await expect(answering({}, { confidence: unknown })).rejects.toMatchObject({
    rawMessage: expect.stringMatching(/^evidence\.confidence /),
  });
  expect(await stored(asked.thread)).toMatchObject({ n: 1 });
});

test('a ticket has evidence as a chat has', async () => {
  const { account, ref: thread, operation } = await open();
  await give({ account, claim: await claimDue(operation) }, answered());
  const { items } = await conversations.listEvidence({ thread }, as(account)());
  expect(items).toMatchObject([{ outcome: Outcome.ANSWERED }]);
});

test('evidence out of bounds is refused by its field, and nothing is stored; long titles and addresses do not fail an answer', async () => {
  const asked = await ask();
  const one = passage(1);
  for (const [field, wrong] of [
    ['outcome', { ...answered(), outcome: Outcome.FAILED }],
    ['outcome', { ...answered(), outcome: 0 }],
    ['outcome', { ...answered(), outcome: 9 }],
    ['answerer', { ...answered(), answerer: '' }],
    ['answerer', { ...answered(), answerer: 'a'.repeat(201) }],
    ['offered', answered(51)],
    ['cited', { ...answered(), cited: [3] }],
    ['cited', { ...answered(), cited: [0] }],
    ['offered.score', { ...answered(1), offered: [{ ...one, score: Number.NaN }] }],
    ['offered.passage_id', { ...answered(1), offered: [{ ...one, passageId: 'p'.repeat(101) }] }],
    ['offered.knowledge_id', { ...answered(1), offered: [{ ...one, knowledgeId: 'p'.repeat(101) }] }],
  ] as const)
    await expect(give(asked, wrong)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(new RegExp(`^evidence\\.${field} `)),
    });
  await expect(failWith(asked, answered())).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(await stored(asked.thread)).toMatchObject({ n: 1, pending: { entry: asked.operation } });
  const long = { ...one, title: '🙂'.repeat(5_000), url: `https://t.example/${'x'.repeat(3_000)}` };
  await give(asked, { ...answered(50), offered: [long, ...answered(49).offered] });
  const [first] = (await listed(asked)).items[0]!.offered;
  expect(first).toMatchObject({ title: '🙂'.repeat(300), url: '' });
});

test('the list of chats does not read what their last answers rest on', async () => {
  const asked = await ask();
  await give(asked, answered(50));
  expect((await stored(asked.thread)).last!.evidence!.offered).toHaveLength(50);
  const { items } = await storesOn(database()).threads.list(
    { account: asked.account, kind: 'chat', assistant: asked.assistant },
    {},
    { limit: 1, nextCursor: '' },
  );
  expect(items[0]).not.toHaveProperty('last');
});

test('an answer in a session that the first release began has no evidence, and the list is empty', async () => {
  const place = await session();
  await answer(await ask({ ...place, question: 'q1' }), 'a1');
  expect(await listed(place)).toMatchObject({ items: [], total: 0, hasMore: false });
});
