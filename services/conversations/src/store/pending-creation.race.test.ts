import { expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime';
import type { ListVersionDoc } from '@parley/runtime/mongo';
import fc, { type Scheduler } from 'fast-check';
import type { Db } from 'mongodb';
import type { NewConversation } from '../domain/new-conversation.ts';
import { chatId, type ThreadDoc, type ThreadRef, threadId } from './model.ts';
import { type Actor, actor, interleaved, Killed } from './testing/race.ts';
import { openWith, type Stores, storesOn, threadDatabase } from './testing/threads.ts';

const database = threadDatabase();
const newConversation: NewConversation = {
  kind: 'ticket',
  email: 'Ann@example.com',
  name: '',
  subject: '',
  message: 'Why?',
};

interface World {
  /** A ticket of the address. */
  ref: ThreadRef;
  assistant: string;
  account: string;
  /** Operations of pendingCreations that were acknowledged, and those that were refused. */
  opened: Set<string>;
  refused: Set<string>;
  killed: boolean;
  /** The stores of each actor. */
  replicas: Stores[];
}

type Actions = Record<string, (world: World, stores: Stores, which: number, db: Db) => Promise<unknown>>;

/** Runs actors until all have ended or died. */
async function run(actors: readonly Actor[], scheduler: Scheduler, acts: Actions): Promise<World & Stores> {
  const db = database.db;
  const [account, assistant] = [randomId(), randomId()];
  const ref = { account, kind: 'ticket', assistant, id: randomId() } as const;
  const world: World = { ref, ...ref, opened: new Set(), refused: new Set(), killed: false, replicas: [] };
  const all = storesOn(db);
  await openWith(all, ref, 'ann@example.com');
  await all.threads.listVersions.create(await all.threads.find(ref));
  let over = false;
  const works = actors.map(async (one) => {
    const beside: Promise<unknown>[] = [];
    const own = interleaved(db, one, scheduler, () => over);
    const stores = storesOn(own, (work) => beside.push(work().catch(() => {})));
    world.replicas.push(stores);
    try {
      for (const { do: what, which } of one.acts) await acts[what]!(world, stores, which, own);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      world.killed = true;
    }
    await Promise.all(beside);
  });
  await scheduler.waitFor(Promise.all(works));
  over = true;
  return { ...world, ...all };
}

const opOf = ({ account }: World, which: number) => deriveId(account, 'open', String(which));

const ACTS: Actions = {
  async open(world, { pendingCreations }, which) {
    const op = opOf(world, which);
    await pendingCreations.open(world.account, world.assistant, op, newConversation).then(
      () => world.opened.add(op),
      (error) => {
        if (error.code !== 'permission_denied' && error.code !== 'not_found') throw error;
        world.refused.add(op);
      },
    );
  },
  block: async ({ ref }, { threads, blocks }) => blocks.block(await threads.find(ref)),
  unblock: async ({ ref }, { threads, blocks }) => blocks.unblock(await threads.find(ref)),
};

const stateOf = (threads: readonly ThreadDoc[]) => threads.map(({ blocked_at }) => blocked_at !== null);

test('however openings, blocks and unblocks interleave, and whoever dies, all threads of the address agree with its block, and a refused newConversation leaves nothing behind', async () => {
  const actors = fc.tuple(actor('open'), actor('open'), actor('block', 'unblock'), actor('block', 'block', 'unblock'));
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const { threads, blocks, killed, opened, refused, ...world } = await run(each, scheduler, ACTS);
      const { account } = world;
      const live = () => threads.collection.find({ account, deleted_at: null }).toArray();
      const isBlocked = !!(await blocks.find(world.ref, 'ann@example.com'))?.blocked_at;
      if (!killed) expect(new Set(stateOf(await live()))).toEqual(new Set([isBlocked]));
      // If someone died halfway, its caller tries again.
      const ticket = await threads.find(world.ref);
      await (isBlocked ? blocks.block(ticket) : blocks.unblock(ticket));
      expect(new Set(stateOf(await live()))).toEqual(new Set([isBlocked]));

      const ids = new Set((await live()).map(({ _id }) => _id));
      for (const op of opened) expect(ids).toContain(threadId(op));
      for (const { _id, outbox = [], pending, blocked_at } of await live()) {
        if (_id === world.ref.id) continue;
        expect(outbox.map(({ payload }) => payload.case)).toEqual(['ticketCreated']);
        if (blocked_at) expect(pending).toBeNull();
      }
      if (killed) return;
      for (const op of refused)
        if (!opened.has(op)) expect(await threads.collection.findOne({ _id: threadId(op), account })).toBeNull();
      expect(await threads.collection.countDocuments({ account, deleted_at: { $ne: null } })).toBe(0);
    }),
    { numRuns: 15 },
  );
});

test('however blocks and unblocks interleave, a late one does not overrule a later one in the threads', async () => {
  const actors = fc.tuple(lasting('block', 'unblock'), lasting('block', 'unblock'), lasting('block', 'unblock'));
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const { threads, blocks, ref } = await run(each, scheduler, ACTS);
      const isBlocked = !!(await blocks.find(ref, 'ann@example.com'))?.blocked_at;
      expect((await threads.find(ref)).blocked_at !== null).toBe(isBlocked);
    }),
    { numRuns: 40 },
  );
});

const DELETING: Actions = {
  ...ACTS,
  block: (...args) => unlessDeleted(ACTS['block']!(...args)),
  unblock: (...args) => unlessDeleted(ACTS['unblock']!(...args)),
  say: ({ ref }, { people }) => unlessDeleted(people.addUserMessage(ref, randomId(), 'And?')),
  update: ({ ref }, { people }, which) => unlessDeleted(people.update(ref, randomId(), '', { status: `${which}` })),
  settle: ({ account, ref }, { removal }) => removal.settle(account, ref.id),
  async chat({ account, assistant }, { questions, claims }) {
    const question = { op: randomId(), text: 'Why?' };
    const asked = await unlessDeleted(questions.begin(account, assistant, question, 60_000));
    if (!asked) return;
    const claim = { thread: asked.thread._id, entry: question.op, fence: 1 };
    const evidence = { answerer: 'a/1', offered: [], cited: [] };
    const done: Promise<unknown> =
      asked.question.at.getTime() % 2
        ? claims.fail(account, claim, { outcome: 'failed', ...evidence })
        : claims.answer(account, claim, { text: 'a', sources: [], evidence: { outcome: 'answered', ...evidence } });
    await unlessDeleted(done);
  },
  /** Does what the handler of the event does, and the first sweep. */
  async forget({ account, assistant }, { removal }) {
    await removal.forget(account, assistant);
    await removal.sweep(account, assistant);
  },
};

async function unlessDeleted<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!['not_found', 'permission_denied'].includes((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  }
}

const lasting = (...acts: string[]) => actor(...acts).map((each) => ({ ...each, lives: Infinity }));

test('however the deletion of an assistant interleaves with everything that its threads do, and if a chat dies, no conversation of it is left', async () => {
  const actors = fc.tuple(
    lasting('open', 'say', 'update'),
    lasting('open', 'block', 'unblock'),
    actor('chat', 'settle'),
    lasting('forget'),
  );
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const { account, assistant, threads, removal, killed } = await run(each, scheduler, DELETING);
      const db = database.db;
      if (!killed) expect(await threads.collection.countDocuments({ account, deleted_at: null })).toBe(0);
      // What the relay does.
      for (const name of ['threads', 'blocks'])
        await db.collection(name).updateMany({ account }, { $unset: { outbox_due: '' } });
      // A later sweep.
      expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(true);
      for (const name of ['threads', 'entries', 'evidence', 'blocks', 'list_versions'])
        expect([name, await db.collection(name).find({ account }).toArray()]).toEqual([name, []]);
    }),
    { numRuns: 25 },
  );
});

const COUNTED: Actions = {
  open: ACTS['open']!,
  update: ({ ref }, { people }, which) => people.update(ref, randomId(), '', { status: `s${which}` }),
  chat: ({ account, assistant }, { questions }) =>
    questions.begin(account, assistant, { op: randomId(), text: 'Why?' }, 60_000),
  async read(world, stores, which) {
    await totalsOf(world, stores, which);
  },
};

const FIRST = { limit: 1, nextCursor: '' };

/** The totals that a replica reports, with and without filters. */
async function totalsOf({ account, assistant }: World, { threads }: Stores, which: number): Promise<number[]> {
  const place = { account, kind: which === 2 ? 'chat' : 'ticket', assistant } as const;
  const dates =
    which === 1 ? { after: new Date(Date.now() - 3_600_000), before: new Date(Date.now() + 3_600_000) } : {};
  const totals: number[] = [];
  for (const statuses of [[], ['open'], ['s1']])
    totals.push((await threads.list(place, { statuses, ...dates }, FIRST)).total);
  return totals;
}

test('once all changes have ended, and the events of those that died, every replica reports exact totals, whatever it has kept', async () => {
  const actors = fc.tuple(actor('open', 'update'), actor('open', 'update', 'chat'), lasting('read'), lasting('read'));
  await fc.assert(
    fc.asyncProperty(actors, fc.scheduler(), async (each, scheduler) => {
      const { threads, removal, ...world } = await run(each, scheduler, COUNTED);
      const { account } = world;
      // What the events of the changes do. Only a writer that died needs it.
      for (const thread of await threads.collection.find({ account, outbox_due: { $exists: true } }).toArray())
        await removal.settle(account, thread._id);
      for (const which of [0, 1, 2]) {
        // This one has kept nothing.
        const exact = await totalsOf(world, storesOn(database.db), which);
        for (const replica of world.replicas) expect(await totalsOf(world, replica, which)).toEqual(exact);
      }
    }),
    { numRuns: 20 },
  );
});

test('a first chat whose process died before it created the versions gets them from its event', async () => {
  const [account, assistant] = [randomId(), randomId()];
  const listVersions = () => database.db.collection('list_versions').find({ account }).toArray();
  const dying = { collection: (name: string) => (name === 'list_versions' ? DEAD : database.db.collection(name)) };
  const question = { op: randomId(), text: 'Why?' };
  await expect(storesOn(dying as Db).questions.begin(account, assistant, question, 60_000)).rejects.toThrow(Killed);
  expect(await listVersions()).toEqual([]);
  await storesOn(database.db).removal.settle(account, chatId(question.op));
  expect((await listVersions()).map(({ n }) => n)).toEqual([1, 1]);
});

const DEAD = { bulkWrite: () => Promise.reject(new Killed()) };

test('every change of a count moves the versions of the assistant and of the day before it is acknowledged; nothing else does', async () => {
  const { threads, pendingCreations, people, questions, blocks } = storesOn(database.db);
  const [account, assistant] = [randomId(), randomId()];
  const versionsOf = async (kind: string) => {
    const found = await database.db
      .collection<ListVersionDoc>('list_versions')
      .find({ account, kind: kind as 'chat' })
      .sort({ day: 1 });
    return (await found.toArray()).map(({ day, n }) => ({ day, n }));
  };
  const moves = async (kind: string, change: () => Promise<unknown>) => {
    const before = await versionsOf(kind);
    await change();
    const after = await versionsOf(kind);
    return after.length > 0 && after.every(({ n }, i) => n > (before[i]?.n ?? 0));
  };
  let ticket!: ThreadDoc;
  const open = async () => {
    ticket = await pendingCreations.open(account, assistant, randomId(), newConversation);
  };
  expect(await moves('ticket', open)).toBe(true);
  expect((await versionsOf('ticket')).map(({ day }) => day)).toEqual([
    null,
    ticket.created_at.toISOString().slice(0, 10),
  ]);
  const ref = { account, kind: 'ticket', assistant, id: ticket._id } as const;
  expect(await moves('ticket', () => people.update(ref, randomId(), '', { status: 'closed' }))).toBe(true);
  expect(await moves('chat', () => questions.begin(account, assistant, { op: randomId(), text: 'q' }, 9_000))).toBe(
    true,
  );
  // The message reopens it.
  expect(await moves('ticket', () => people.addUserMessage(ref, randomId(), 's'))).toBe(true);
  for (const change of [
    () => people.update(ref, randomId(), '', { priority: 'low' }),
    () => people.addUserMessage(ref, randomId(), 's'),
    () => people.reply(ref, randomId(), 'r'),
    () => blocks.block(ticket),
    () => blocks.unblock(ticket),
  ])
    expect(await moves('ticket', change)).toBe(false);

  // A ticket of another day.
  const created_at = new Date('2026-01-31T23:59:59.999Z');
  await threads.collection.unlisted.updateOne({ _id: ticket._id, account }, { $set: { created_at } });
  await threads.listVersions.create({ ...ticket, created_at });
  await people.update(ref, randomId(), '', { status: 'open' });
  expect(await versionsOf('ticket')).toContainEqual({ day: '2026-01-31', n: 2 });
});
