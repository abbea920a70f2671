import { expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime/rpc';
import fc, { type Scheduler } from 'fast-check';
import { asChat } from '../domain/entries.ts';
import { claimStore } from './claims.ts';
import { answerId, type EntryDoc, type ThreadRef } from './model.ts';
import { type Actor, actor, interleaved, Killed } from './testing/race.ts';
import { migratedDatabase, openWith, type Stores, storesOn } from './testing/threads.ts';

const database = migratedDatabase();

interface Race {
  account: string;
  id: string;
  ref: ThreadRef;
  /** Operations that were acknowledged. */
  done: Set<string>;
  /** Fences that were issued. */
  fences: number[];
  /** `n` of the thread just after it was blocked. */
  blockedAt?: number;
}

async function run(actors: Actor[], scheduler: Scheduler, kind: 'ticket' | 'chat') {
  const db = database.db();
  const ref = { account: randomId(), kind, assistant: randomId(), id: randomId() };
  const race: Race = { ...ref, ref, done: new Set(), fences: [] };
  const { threads, ...others } = storesOn(db);
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
  if (what === 'ai') return answerPending(race, stores);
  if (what === 'block') {
    await blocks.block(await threads.find(ref));
    race.blockedAt = (await threads.find(ref)).n;
    return;
  }
  if (what === 'say') await unlessBlocked(people.say(ref, op, op).then(() => done.add(op)));
  if (what === 'reply') await people.reply(ref, op, op).then(() => done.add(op));
  if (what === 'status') await people.update(ref, op, 'key', { status: `${which}` });
  if (what === 'priority') await people.update(ref, op, 'key', { priority: `${which}` });
  if (what === 'both') await people.update(ref, op, 'key', { status: `${which}`, priority: `${which}` });
}

const unlessBlocked = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (error.code !== 'permission_denied') throw error;
  });

/** Claims the pending entry of a ticket, and answers or fails it. */
async function answerPending({ account, id, done, fences }: Race, { threads, claims }: Stores) {
  const entry = (await threads.thread(account, id)).pending?.entry;
  const claim = entry && (await claims.claim(account, id, entry, 60_000));
  if (!claim) return;
  fences.push(claim.fence);
  await claims.answer(account, claim, { text: `by ${claim.fence}`, sources: [] }).then(
    () => done.add(answerId(entry)),
    (error) => {
      if (error.code !== 'aborted') throw error;
    },
  );
}

/** Asks in a chat as often as a waiter polls, and answers. */
async function askAndAnswer({ account, id, done, fences }: Race, stores: Stores, op: string) {
  const { threads, questions, claims } = stores;
  let asked = await questions.ask(await threads.thread(account, id), { op, text: op }, 60_000);
  for (let looks = 0; !asked && looks < 6; looks++) {
    const { thread, place } = await questions.queue(account, id, op);
    expect(thread.waiting.length).toBeLessThanOrEqual(2);
    if (place === 'none') return;
    if (place === 'first') asked = await questions.ask(thread, { op, text: op }, 60_000);
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
      // An answer is to the user's latest message.
      for (const [i, { by, in_reply_to }] of said.entries())
        if (by === 'ai') expect(said.findLast((entry, j) => j < i && entry.by === 'user')!._id).toBe(in_reply_to);
    }),
    { numRuns: 20 },
  );
});

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
  ['a newer message of the user', ({ ref }, { people }) => people.say(ref, randomId(), 's')],
  [
    'another claim',
    async ({ ref: { account, id }, op }, { threads, claims }) => {
      await threads.collection.updateOne({ _id: id }, { $set: { 'pending.until': new Date(0) } });
      await claims.claim(account, id, op, 60_000);
    },
  ],
])('%s that comes between an answer’s read and its write is in time: the answer is refused', async (_, happen) => {
  const db = database.db();
  const others = storesOn(db);
  const [account, id, op] = [randomId(), randomId(), randomId()];
  const ref = { account, kind: 'ticket', assistant: randomId(), id } as const;
  await openWith(others, ref, 'ann@example.com');
  await others.people.say(ref, op, 'Why?');
  const claim = (await others.claims.claim(account, id, op, 60_000))!;
  let happened = false;
  const threads: typeof others.threads = {
    ...others.threads,
    async act(...acting) {
      if (!happened) await happen({ ref, op }, others);
      happened = true;
      return others.threads.act(...acting);
    },
  };
  await expect(claimStore(threads).answer(account, claim, { text: 'Late.', sources: [] })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect((await others.threads.entries.of(await others.threads.thread(account, id))).map(({ by }) => by)).not.toContain(
    'ai',
  );
});
