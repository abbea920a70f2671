import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CATALOGUE, EVENT_NAMES, type EventName } from '@parley/catalogue';
import { randomId } from '@parley/runtime/rpc';
import { freshDatabase } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import type { NewEvent } from '../domain/event.ts';
import { eventCollection, eventStore, feedCollection } from './events.ts';
import { migrations } from './migrations.ts';

const KEPT = 1_000;
const database = freshDatabase();
const mongo = new MongoClient(database.uri);
const db = mongo.db(database.name);
const store = eventStore(db, KEPT);
const replica = eventStore(db, KEPT);

beforeAll(async () => {
  for (const { run } of migrations) await run(db, AbortSignal.timeout(60_000));
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const newEvent = (account: string, resource = randomId(), type: EventName = 'chat.begun'): NewEvent => ({
  _id: randomId(),
  account,
  type,
  version: 1,
  resource,
  at: new Date(),
  data: CATALOGUE[type].example,
});
const several = (account: string, count: number) => Array.from({ length: count }, () => newEvent(account));

/** Reads a whole log by pages. */
async function readAll(account: string, { limit = 7, types = [] as EventName[], after = 0 } = {}) {
  const read = [];
  for (let position = after; ; ) {
    const page = await store.read(account, { after: position, types, limit });
    read.push(...page.items);
    position = page.position;
    if (!page.hasMore) return read;
  }
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('events are numbered from one in each account, in the order in which they came', async () => {
  const [account, other] = [randomId(), randomId()];
  const [first, second] = [several(account, 3), several(account, 2)];
  await store.append(account, first);
  await store.append(other, several(other, 1));
  await store.append(account, second);
  const read = await readAll(account, { limit: 2 });
  expect(read.map(({ _id }) => _id)).toEqual([...first, ...second].map(({ _id }) => _id));
  expect(read.map(({ seq }) => seq)).toEqual(numbers(1, 5));
  expect((await readAll(other)).map(({ seq }) => seq)).toEqual([1]);
});

test('an event that comes again keeps its number and takes none; what comes with it is kept', async () => {
  const account = randomId();
  const [a, b, c, d] = several(account, 4) as [NewEvent, NewEvent, NewEvent, NewEvent];
  await store.append(account, [a, b]);
  await store.append(account, [a, c, b, d, c]);
  expect((await readAll(account)).map(({ _id, seq }) => [_id, seq])).toEqual(
    [a, b, c, d].map(({ _id }, i) => [_id, i + 1]),
  );
});

test('two replicas that write at once leave no gap and lose nothing, and each keeps its order', async () => {
  const account = randomId();
  const writing = [store, replica].map(async (each) => {
    const resource = randomId();
    const written = Array.from({ length: 40 }, () => newEvent(account, resource));
    for (let i = 0; i < written.length; i += 4) await each.append(account, written.slice(i, i + 4));
    return { resource, written };
  });
  const all = await Promise.all(writing);
  const read = await readAll(account);
  expect(read.map(({ seq }) => seq)).toEqual(numbers(1, 80));
  for (const { resource, written } of all)
    expect(read.filter((event) => event.resource === resource).map(({ _id }) => _id)).toEqual(
      written.map(({ _id }) => _id),
    );
});

test('a reader that pages while three writers write misses nothing and sees nothing twice', async () => {
  const account = randomId();
  let writing = true;
  const writers = [store, replica, store].map(async (each) => {
    for (let i = 0; i < 30; i++) await each.append(account, several(account, 10));
  });
  const done = Promise.all(writers).finally(() => {
    writing = false;
  });
  const seen: number[] = [];
  for (let position = 0, more = true; more; ) {
    const isLast = !writing;
    const page = await store.read(account, { after: position, types: [], limit: 13 });
    seen.push(...page.items.map(({ seq }) => seq));
    position = page.position;
    more = page.hasMore || !isLast;
  }
  await done;
  expect(seen).toEqual(numbers(1, 900));
});

test('reading by type goes on after what is of other types', async () => {
  const account = randomId();
  const types = EVENT_NAMES.slice(0, 4);
  await store.append(
    account,
    numbers(0, 19).map((i) => newEvent(account, account, types[i % 4])),
  );
  const [one, two] = types as [EventName, EventName];
  const read = await readAll(account, { limit: 3, types: [one, two] });
  expect(read.map(({ seq }) => seq)).toEqual(numbers(1, 20).filter((seq) => [1, 2].includes(seq % 4)));
  expect(await store.count(account, [one, two])).toBe(10);
  expect(await store.count(account, [])).toBe(20);
  const end = await store.read(account, { after: 18, types: [one], limit: 3 });
  expect(end).toEqual({ items: [], hasMore: false, position: 20 });
});

test('a position that the account never had is refused', async () => {
  await expect(store.read(randomId(), { after: 1, types: [], limit: 1 })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

test('numbers go on after all events have expired', async () => {
  const account = randomId();
  await store.append(account, several(account, 3));
  await eventCollection(db).deleteMany({ account });
  expect(await store.read(account, { after: 1, types: [], limit: 9 })).toEqual({
    items: [],
    hasMore: false,
    position: 3,
  });
  expect(await store.count(account, [])).toBe(0);
  await store.append(account, several(account, 1));
  expect((await readAll(account)).map(({ seq }) => seq)).toEqual([4]);
});

test('what an account keeps is bounded: the oldest events go first', async () => {
  const account = randomId();
  for (let i = 0; i < 5; i++) await store.append(account, several(account, 400));
  expect((await readAll(account, { limit: 100 })).map(({ seq }) => seq)).toEqual(numbers(1_001, 2_000));
  expect(await feedCollection(db).findOne({ _id: account })).toMatchObject({ last: 2_000 });
});

/** The database of a process that dies before one of its operations, and of which no later one arrives. */
function dyingAt(last: number) {
  let operation = 0;
  const step = () => {
    if (operation++ >= last) throw new Error('killed');
  };
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const found = Reflect.get(of, name, of) as unknown;
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          if (name === 'collection') return dying(found.apply(of, args));
          step();
          return found.apply(of, args);
        };
      },
    });
  return eventStore(dying(db), KEPT);
}

test('wherever a writer dies, what is delivered again completes it: nothing is lost or twice, and numbers have no gap', async () => {
  // More operations than an attempt takes.
  for (let dies = 0; dies < 6; dies++) {
    const account = randomId();
    await store.append(account, several(account, 2));
    const added = several(account, 3);
    await dyingAt(dies)
      .append(account, added)
      .catch((error) => expect(error).toMatchObject({ message: 'killed' }));
    // Another process gets the first of them again, and the rest later.
    await replica.append(account, added.slice(0, 1));
    await replica.append(account, added);
    const read = await readAll(account);
    expect([dies, read.map(({ seq }) => seq)]).toEqual([dies, numbers(1, 5)]);
    expect(read.slice(2).map(({ _id }) => _id)).toEqual(added.map(({ _id }) => _id));
    expect(await feedCollection(db).findOne({ _id: account })).toMatchObject({ last: 5 });
  }
});
