import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deriveId, isAppError, randomId } from '@parley/runtime';
import { migratedDatabase, until } from '@parley/runtime/testing';
import fc, { type Scheduler } from 'fast-check';
import type { Collection, Db } from 'mongodb';
import { type AliasDoc, aliasStore } from './aliases.ts';
import { assistantCollection } from './assistants.ts';
import { emailInboxStore } from './email-inboxes.ts';
import { migrations } from './migrations.ts';
import type { EmailInboxDoc } from './model.ts';
import { assistantRows } from './rows.ts';

const database = migratedDatabase(migrations);
beforeAll(database.migrate);
afterAll(database.drop);

function inboxesOn(db: Db, claimMs: number) {
  const assistants = assistantCollection(db);
  return emailInboxStore(assistantRows(assistants), aliasStore(db, assistants, { claimMs }));
}

type Inboxes = ReturnType<typeof inboxesOn>;

interface Act {
  do: 'create' | 'change' | 'delete';
  /** Six inboxes of two accounts, which want two aliases. */
  inbox: number;
}

/** A replica that performs its acts in order, and may die before any of its database operations. */
interface Actor {
  acts: Act[];
  /** The number of operations before it dies. */
  lives: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom('create', 'create', 'change', 'delete'),
  inbox: fc.nat(5),
});
const actor: fc.Arbitrary<Actor> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 4 }),
  lives: fc.oneof(fc.constant(Infinity), fc.nat(24)),
});

class Killed extends Error {}

const OPERATIONS = ['findOne', 'findOneAndUpdate', 'updateOne', 'deleteOne', 'countDocuments'];

/** The database as an actor sees it: each operation waits for its turn, and none follows the actor's death. */
function interleaved(db: Db, { lives }: Actor, scheduler: Scheduler): Db {
  let left = lives;
  const watched = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (!OPERATIONS.includes(String(name))) return found;
        return async (...args: unknown[]) => {
          await scheduler.schedule(Promise.resolve());
          if (left-- <= 0) throw new Killed();
          return Reflect.apply(found, target, args);
        };
      },
    });
  return { collection: (name: string) => watched(db.collection(name)) } as unknown as Db;
}

/** The owners, inboxes and aliases of one run. */
function scene() {
  const run = randomId();
  const accounts = [randomId(), randomId()];
  const aliases = [`x-${run.slice(0, 18)}`, `y-${run.slice(0, 18)}`];
  return {
    accounts,
    aliases,
    account: (inbox: number) => accounts[inbox % 2]!,
    id: (inbox: number) => deriveId(run, String(inbox)),
    /** The alias that the inbox is created with. */
    first: (inbox: number) => aliases[inbox < 4 ? 0 : 1]!,
    other: (inbox: number) => aliases[inbox < 4 ? 1 : 0]!,
  };
}

async function perform(
  inboxes: Inboxes,
  { account, id, first, other }: ReturnType<typeof scene>,
  { do: what, inbox }: Act,
) {
  const owner = account(inbox);
  if (what === 'create')
    await inboxes.createEmailInbox(owner, id(inbox), { alias: first(inbox), title: 'Inbox', description: null });
  else if (what === 'change') await inboxes.updateEmailInbox(owner, id(inbox), randomId(), { alias: other(inbox) });
  else await inboxes.deleteEmailInbox(owner, id(inbox), randomId());
}

/**
 * Refusals that the others' acts explain: PERMISSION_DENIED if an inbox appears between the two reads that look for it. A
 * store that gives up or contradicts an index fails the test.
 */
const EXPECTED = ['already_exists', 'not_found', 'permission_denied', 'aborted', 'unavailable'] as const;

async function race(actors: Actor[], scheduler: Scheduler, claimMs: number) {
  const db = database.db;
  const now = scene();
  const works = actors.map(async (one) => {
    const inboxes = inboxesOn(interleaved(db, one, scheduler), claimMs);
    for (const act of one.acts) {
      try {
        await perform(inboxes, now, act);
      } catch (error) {
        if (error instanceof Killed) return;
        if (!EXPECTED.some((code) => isAppError(error, code))) throw error;
      }
    }
  });
  await scheduler.waitFor(Promise.all(works));
  return now;
}

const inboxesOf = (accounts: string[]) =>
  assistantCollection(database.db)
    .find({ account: { $in: accounts }, late: { $exists: false } })
    .toArray() as unknown as Promise<EmailInboxDoc[]>;

/** The accounts whose inboxes have an alias or had it before their last change, deleted ones included. */
const holdersOf = (alias: string, inboxes: EmailInboxDoc[]) =>
  new Set(inboxes.filter((one) => one.alias === alias || one.former_alias === alias).map(({ account }) => account));

test('whoever races or dies, an alias has one account, which can take it again at once; in the end anyone can', async () => {
  const inTime = fc.constantFrom(1, 5, 25, 600_000);
  const actors = fc.array(actor, { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(actors, inTime, fc.scheduler(), async (actors, claimMs, scheduler) => {
      const { accounts, aliases } = await race(actors, scheduler, claimMs);
      const all = await inboxesOf(accounts);
      for (const alias of aliases) await isUsable(alias, accounts, all);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

async function isUsable(alias: string, accounts: string[], all: EmailInboxDoc[]) {
  const db = database.db;
  const reservations = db.collection<AliasDoc>('aliases');
  const inboxes = inboxesOn(db, 600_000);
  const create = async (account: string) => {
    const inbox = { alias, title: 'Later', description: null };
    return inboxes.createEmailInbox(account, randomId(), inbox).catch((error) => {
      if (isAppError(error, 'already_exists')) return undefined;
      throw error;
    });
  };
  const holders = holdersOf(alias, all);
  expect(holders.size).toBeLessThanOrEqual(1);
  const [holder] = holders;
  const live = all.filter((one) => one.alias === alias && one.deleted_at === null);
  expect(live.length).toBeLessThanOrEqual(1);

  // Only the holder may take it.
  for (const { account } of live) expect(await create(account)).toBeUndefined();
  if (holder)
    for (const other of accounts.filter((each) => each !== holder)) expect(await create(other)).toBeUndefined();
  // An abandoned claim keeps the alias from others only until it expires.
  if (!holder) await reservations.updateOne({ _id: alias, until: { $ne: null } }, { $set: { until: new Date(0) } });
  const owner = holder ?? accounts[0]!;
  for (const { _id, account } of live) await inboxes.deleteEmailInbox(account, _id, randomId());
  const again = await create(owner);
  expect(again).toMatchObject({ account: owner, alias });

  // Thirty days after it is freed, any account can take it.
  await inboxes.deleteEmailInbox(owner, again!._id, randomId());
  const other = accounts.find((each) => each !== owner)!;
  expect(await create(other)).toBeUndefined();
  const { until } = (await reservations.findOne({ _id: alias }))!;
  expect(until!.getTime() - Date.now()).toBeGreaterThan(29.9 * 24 * 3_600_000);
  await reservations.updateOne({ _id: alias }, { $set: { until: new Date(0) } });
  expect(await create(other)).toMatchObject({ account: other, alias });
}

/** The database of a replica that is suspended just before its first write to an assistant. */
function suspended(db: Db, meanwhile: () => Promise<void>): Db {
  let pending: typeof meanwhile | undefined = meanwhile;
  const watched = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (name !== 'findOneAndUpdate') return found;
        return async (...args: unknown[]) => {
          const first = pending;
          pending = undefined;
          await first?.();
          return Reflect.apply(found, target, args);
        };
      },
    });
  return {
    collection: (name: string) => (name === 'assistants' ? watched(db.collection(name)) : db.collection(name)),
  } as unknown as Db;
}

test.each(['create', 'change'] as const)(
  'after its claim has expired and another account had the alias, a suspended replica can no longer take it: %s',
  async (act) => {
    const db = database.db;
    const [mine, theirs] = [randomId(), randomId()];
    const [alias, own] = [`z-${randomId().slice(0, 18)}`, `o-${randomId().slice(0, 18)}`];
    const inbox = { title: 'Inbox', description: null };
    const others = inboxesOn(db, 600_000);
    const before = act === 'change' && (await others.createEmailInbox(mine, randomId(), { ...inbox, alias: own }));
    const late = inboxesOn(
      suspended(db, async () => {
        const theirInbox = await until(() =>
          others.createEmailInbox(theirs, randomId(), { ...inbox, alias }).catch(() => undefined),
        );
        await others.deleteEmailInbox(theirs, theirInbox!._id, randomId());
      }),
      100,
    );
    const operation = randomId();
    const take = (inboxes: Inboxes) =>
      before
        ? inboxes.updateEmailInbox(mine, before._id, operation, { alias })
        : inboxes.createEmailInbox(mine, operation, { ...inbox, alias });
    await expect(take(late)).rejects.toMatchObject({ code: before ? 'already_exists' : 'unavailable' });
    await expect(take(others)).rejects.toMatchObject({ code: 'already_exists' });
    expect(await inboxesOf([mine])).toEqual(before ? [before] : []);
  },
);

describe('what a replica left out when it died is done by the next one', () => {
  const setUp = async () => {
    const db = database.db;
    const inboxes = inboxesOn(db, 600_000);
    const reservations = db.collection<AliasDoc>('aliases');
    const [mine, theirs, alias] = [randomId(), randomId(), `d-${randomId().slice(0, 18)}`];
    const create = (account: string) =>
      inboxes.createEmailInbox(account, randomId(), { alias, title: 'Inbox', description: null });
    /** As an earlier step of the replica left the reservation. */
    const leave = (until: Date | null) => reservations.updateOne({ _id: alias }, { $set: { until } });
    const isKept = async () => {
      await expect(create(theirs)).rejects.toMatchObject({ code: 'already_exists' });
      const { until } = (await reservations.findOne({ _id: alias }))!;
      expect(until!.getTime() - Date.now()).toBeGreaterThan(29.9 * 24 * 3_600_000);
      expect(await create(mine)).toMatchObject({ alias });
    };
    return { inboxes, mine, theirs, alias, inbox: await create(mine), create, leave, isKept };
  };

  test('an alias that was never confirmed is kept from others while its inbox has it, and for 30 days afterwards', async () => {
    const { inboxes, mine, theirs, inbox, create, leave, isKept } = await setUp();
    await leave(new Date(0));
    await expect(create(theirs)).rejects.toMatchObject({ code: 'already_exists' });
    await inboxes.deleteEmailInbox(mine, inbox._id, randomId());
    await isKept();
  });

  test('the 30 days of a deleted inbox begin when it is purged', async () => {
    const { inboxes, mine, inbox, leave, isKept } = await setUp();
    const deleted = await inboxes.deleteEmailInbox(mine, inbox._id, randomId());
    await leave(null);
    await inboxes.settleAliases(deleted);
    await isKept();
  });

  test('the 30 days of a former alias begin when it is wanted', async () => {
    const { inboxes, mine, inbox, leave, isKept } = await setUp();
    await inboxes.updateEmailInbox(mine, inbox._id, randomId(), { alias: `e-${randomId().slice(0, 18)}` });
    await leave(null);
    await isKept();
  });
});
