import { expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime';
import fc, { type Scheduler } from 'fast-check';
import { asChat } from '../domain/entries.ts';
import { claimStore } from './claims.ts';
import { answerId, type EntryDoc, type ThreadRef } from './model.ts';
import { type Actor, actor, interleaved, Killed } from './testing/race.ts';
import { openWith, type Stores, storesOn, threadDatabase } from './testing/threads.ts';
import { UNLIMITED } from './usage.ts';

const database = threadDatabase();

interface Race {
  account: string;
  id: string;
  ref: ThreadRef;
  /** True if the AI drafts. */
  drafts: boolean;
  /** Entries that were acknowledged, and operations that sent a draft. */
  done: Set<string>;
  /** Fences that were issued. */
  fences: number[];
  /** `n` of the thread just after it was blocked. */
  blockedAt?: number;
}

async function run(actors: Actor[], scheduler: Scheduler, kind: 'ticket' | 'chat', drafts = false) {
  const db = database.db;
  const ref = { account: randomId(), kind, assistant: randomId(), id: randomId() };
  const race: Race = { ...ref, ref, drafts, done: new Set(), fences: [] };
  const { threads, ...others } = storesOn(db);
  // Those of earlier runs are not due any more.
  await threads.collection.unlisted.updateMany({}, { $set: { pending: null } });
  await openWith({ threads, ...others }, ref, 'ann@example.com');
  const works = actors.map(async (one) => {
    const beside: Promise<unknown>[] = [];
    const stores = storesOn(interleaved(db, one, scheduler), (work) => beside.push(work().catch(() => {})));
    try {
      for (const act of one.acts) await take(race, stores, act);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    await Promise.all(beside);
  });
  await scheduler.waitFor(Promise.all(works));
  const thread = await threads.thread(race.account, race.id);
  return { ...race, thread, said: await threads.entries.of(thread) };
}

async function take(race: Race, stores: Stores, { do: what, which }: { do: string; which: number }) {
  const { id, done, ref } = race;
  const op = deriveId(id, what, String(which));
  const { people, blocks, threads } = stores;
  if (what === 'ask') return askAndAnswer(race, stores, op);
  if (what === 'ai') return answerDue(race, stores, which);
  if (what === 'send') return stores.drafts.send(ref, op).then(() => void done.add(op), unlessNone);
  if (what === 'block') {
    await blocks.block(await threads.find(ref));
    race.blockedAt = (await threads.find(ref)).n;
    return;
  }
  if (what === 'say') await unlessBlocked(people.addUserMessage(ref, op, op).then(() => done.add(op)));
  if (what === 'reply') await people.reply(ref, op, op).then(() => done.add(op));
  if (what === 'status') await people.update(ref, op, 'key', { status: `${which}` });
  if (what === 'priority') await people.update(ref, op, 'key', { priority: `${which}` });
  if (what === 'both') await people.update(ref, op, 'key', { status: `${which}`, priority: `${which}` });
}

const unlessBlocked = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (error.code !== 'permission_denied') throw error;
  });

const unlessNone = (error: { code?: string }) => {
  if (error.code !== 'not_found') throw error;
};

/** Claims the due answer of a ticket, and says or drafts it. */
async function answerDue({ account, drafts, fences, done }: Race, { dueAnswers, claims }: Stores, which: number) {
  const due = await dueAnswers.claim(60_000, [], 20);
  if (!due) return;
  const { claim } = due;
  fences.push(claim.fence);
  const given = { text: `by ${claim.fence}`, sources: [] };
  const ended =
    drafts && which > 0
      ? dueAnswers.draft(account, claim, given)
      : claims.answer(account, claim, given).then(() => void done.add(answerId(claim.entry)));
  await ended.catch((error) => {
    if (error.code !== 'aborted') throw error;
  });
}

/** Asks in a chat as often as a waiter polls, and answers. */
async function askAndAnswer({ account, id, done, fences }: Race, stores: Stores, op: string) {
  const { threads, questions, claims } = stores;
  let asked = await questions.ask(await threads.thread(account, id), { op, text: op }, 60_000);
  for (let looks = 0; !asked && looks < 6; looks++) {
    const { thread, position } = await questions.queue(account, id, op);
    expect(thread.waiting.length).toBeLessThanOrEqual(2);
    if (position === 'none') return;
    if (position === 'first') asked = await questions.ask(thread, { op, text: op }, 60_000);
  }
  if (!asked) return questions.leave(account, id, op);
  done.add(op);
  if (asked.answer) return questions.leave(account, id, op);
  fences.push(asked.thread.fence);
  await claims.answer(account, { thread: id, entry: op, fence: asked.thread.fence }, { text: 'a', sources: [] });
  done.add(answerId(op));
}

function expectOrder({ thread, said, done, fences }: Awaited<ReturnType<typeof run>>) {
  expect(said.map(({ n }) => n)).toEqual(said.map((_, i) => i + 1));
  expect(thread.n).toBe(said.length);
  expect(new Set(said.map(({ _id }) => _id)).size).toBe(said.length);
  // Nothing acknowledged is missing; anything else may be there or not.
  for (const op of done) expect(said.some(({ _id }) => _id === op)).toBe(true);
  expect(new Set(fences).size).toBe(fences.length);
  expect(thread.questions).toBe(said.filter(({ by }) => by === 'user').length);
}

const next = (said: EntryDoc[], from: number, by: string) => said.findIndex((entry, i) => i > from && entry.by === by);

test('however users, AI and owner interleave in a ticket, and whoever dies, nothing is lost, duplicated or said by the AI too late', async () => {
  const actors = fc.tuple(
    actor('say'),
    actor('say', 'priority'),
    actor('ai'),
    actor('ai'),
    actor('reply', 'status', 'both', 'block'),
  );
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const raced = await run(each, scheduler, 'ticket');
      expectOrder(raced);
      const { said, blockedAt = Infinity } = raced;
      const tookOver = said.findIndex(({ by, change }) => by === 'owner' || change?.field === 'status');
      if (tookOver >= 0) expect(next(said, tookOver, 'ai')).toBe(-1);
      for (const { n, by } of said) if (n > blockedAt) expect(['owner', 'system']).toContain(by);
      expectAnswersToLatest(said);
    }),
    { numRuns: 20 },
  );
});

test('however many send a draft while the user writes on and the AI works, and whoever dies, it is said once, to the latest message', async () => {
  const actors = fc.tuple(actor('say', 'ai'), actor('ai'), actor('send'), actor('send', 'ai'), actor('send', 'block'));
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const raced = await run(each, scheduler, 'ticket', true);
      const sent = [...raced.done].filter((op) => !raced.said.some(({ _id }) => _id === op));
      expectOrder({ ...raced, done: new Set([...raced.done].filter((op) => !sent.includes(op))) });
      const answers = raced.said.filter(({ by }) => by === 'ai');
      if (sent.length > 0) expect(answers.length).toBeGreaterThan(0);
      expect(new Set(answers.map(({ in_reply_to }) => in_reply_to)).size).toBe(answers.length);
      expectAnswersToLatest(raced.said);
    }),
    { numRuns: 20 },
  );
});

/** An answer is to the user's latest message. */
function expectAnswersToLatest(said: EntryDoc[]) {
  for (const [i, { by, in_reply_to }] of said.entries())
    if (by === 'ai') expect(said.findLast((entry, j) => j < i && entry.by === 'user')!._id).toBe(in_reply_to);
}

test('however many askers interleave in a chat, and whoever dies, each question is stored once, next to its one answer', async () => {
  const actors = fc.tuple(actor('ask'), actor('ask'), actor('ask'), actor('ask'));
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const raced = await run(each, scheduler, 'chat');
      expectOrder(raced);
      const read = asChat(raced.said);
      for (const [i, { by, in_reply_to }] of read.entries())
        if (by === 'ai') expect(read[i - 1]!._id).toBe(in_reply_to);
      // Nobody asks while another question is being answered: each is answered before the next, except the last.
      expect(raced.said.map(({ by }) => by).join(' ')).toMatch(/^(user ai ?)*(user)?$/);
    }),
    { numRuns: 20 },
  );
});

test.each<[string, (race: { ref: ThreadRef; op: string }, stores: Stores) => Promise<unknown>]>([
  ['a block', async ({ ref }, { threads, blocks }) => blocks.block(await threads.find(ref))],
  ['a message of the owner', ({ ref }, { people }) => people.reply(ref, randomId(), 'r')],
  ['a newer message of the user', ({ ref }, { people }) => people.addUserMessage(ref, randomId(), 's')],
  [
    'another claim',
    async ({ ref: { id } }, { threads, dueAnswers }) => {
      await threads.collection.unlisted.updateOne({ _id: id }, { $set: { 'pending.until': new Date(0) } });
      await dueAnswers.claim(60_000, [], 20);
    },
  ],
])('%s that comes between an answer’s read and its write is in time: the answer is refused', async (_, happen) => {
  const db = database.db;
  const others = storesOn(db);
  const [account, id, op] = [randomId(), randomId(), randomId()];
  const ref = { account, kind: 'ticket', assistant: randomId(), id } as const;
  await openWith(others, ref, 'ann@example.com');
  await others.people.addUserMessage(ref, op, 'Why?');
  await others.threads.collection.unlisted.updateMany({ _id: { $ne: id } }, { $set: { pending: null } });
  const { claim } = (await others.dueAnswers.claim(60_000, [], 20))!;
  let happened = false;
  const threads: typeof others.threads = {
    ...others.threads,
    async act(...acting) {
      if (!happened) await happen({ ref, op }, others);
      happened = true;
      return others.threads.act(...acting);
    },
  };
  await expect(
    claimStore(threads, { quietMs: 0, limits: UNLIMITED }).answer(account, claim, { text: 'Late.', sources: [] }),
  ).rejects.toMatchObject({
    code: 'aborted',
  });
  expect((await others.threads.entries.of(await others.threads.thread(account, id))).map(({ by }) => by)).not.toContain(
    'ai',
  );
});
