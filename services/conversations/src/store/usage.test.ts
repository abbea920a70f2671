import { expect, test } from '@jest/globals';
import { isAppError, randomId } from '@parley/runtime';
import { QUOTAS } from '@parley/runtime/mongo';
import { until } from '@parley/runtime/testing';
import fc from 'fast-check';
import type { ReceivedMail } from '../domain/mail.ts';
import { threadId } from './model.ts';
import { type Stores, storesOn, threadDatabase } from './testing/threads.ts';
import { type ThreadLimits, UNLIMITED } from './usage.ts';

const database = threadDatabase();
const LEASE_MS = 30_000;

const limitedTo = (limits: Partial<ThreadLimits>) =>
  storesOn(database.db, undefined, { limits: { ...UNLIMITED, ...limits } });

const ask = ({ questions }: Stores, account: string, assistant: string, op = randomId()) =>
  questions.begin(account, assistant, { op, text: 'Why?' }, LEASE_MS);

const open = (
  { pendingCreations }: Stores,
  account: string,
  assistant: string,
  { kind = 'ticket', op = randomId() }: { kind?: 'ticket' | 'email'; op?: string } = {},
) =>
  pendingCreations.open(account, assistant, op, {
    kind,
    email: 'ann@example.com',
    name: '',
    subject: '',
    message: 'Why?',
  });

/** How many of the calls were not refused because of a quota. */
async function through(calls: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !isAppError(outcome.reason, 'permission_denied')) throw outcome.reason;
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('of many conversations that begin at once, as many get through as there is room for, from any replica', async () => {
  const replicas = [limitedTo({ chats: 5, tickets: 3, emails: 1 }), limitedTo({ chats: 5, tickets: 3, emails: 1 })];
  const account = randomId();
  const many = <T>(begin: (stores: Stores, assistant: string) => Promise<T>) =>
    through(Array.from({ length: 12 }, (_, i) => begin(replicas[i % 2]!, randomId())));
  expect(await many((stores, assistant) => ask(stores, account, assistant))).toBe(5);
  expect(await many((stores, assistant) => open(stores, account, assistant))).toBe(3);
  expect(await many((stores, assistant) => open(stores, account, assistant, { kind: 'email' }))).toBe(1);
  expect(await replicas[0]!.usage.used(account)).toEqual({ chats: 5, tickets: 3, emails: 1, mail_bytes: 0 });
});

test('one too many is refused by name, and nothing of it is stored', async () => {
  const stores = limitedTo({ chats: 1, tickets: 0 });
  const [account, assistant] = [randomId(), randomId()];
  await ask(stores, account, assistant);
  const refusal = 'An account may have 1 chats (QUOTA_CHATS), and this one has 1.';
  await expect(ask(stores, account, assistant)).rejects.toThrow(refusal);
  const op = randomId();
  await expect(open(stores, account, assistant, { op })).rejects.toThrow('0 tickets (QUOTA_TICKETS)');
  expect(await stores.threads.collection.findOne({ _id: threadId(op), account })).toBeNull();
});

/** A mail of so many bytes, as it is received. */
function receive({ receiving }: Stores, account: string, assistant: string, bytes: number, op = randomId()) {
  const mail = { from: 'ann@example.com', authenticated: true, automatic: false } as ReceivedMail;
  const incoming = { name: '', subject: 'Lamp', message: 'Why?', mail, bytes, messageId: `${op}@example.com` };
  return receiving.receive({ account, kind: 'email', assistant }, op, { ...incoming, references: [] });
}

test('a mail that finds no room is refused for now, since its sender is not to blame', async () => {
  const refused = { code: 'resource_exhausted' };
  for (const limits of [{ emails: 0 }, { mail_bytes: 9 }])
    await expect(receive(limitedTo(limits), randomId(), randomId(), 10)).rejects.toMatchObject(refused);
});

test('mails are received until their bytes fill the room; one that comes again counts once; a deleted inbox makes room', async () => {
  const stores = limitedTo({ mail_bytes: 100 });
  const [account, assistant, op] = [randomId(), randomId(), randomId()];
  await Promise.all([1, 2].map(() => receive(stores, account, assistant, 60, op)));
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => receive(stores, account, assistant, 15)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await receive(stores, account, assistant, 60, op);
  expect(await stores.usage.used(account)).toMatchObject({ emails: 3, mail_bytes: 90 });
  await stores.removal.forget(account, assistant);
  await stores.removal.sweep(account, assistant);
  expect(await stores.usage.used(account)).toMatchObject({ emails: 0, mail_bytes: 0 });
  await receive(stores, account, randomId(), 100);
});

test('the files of a form count with its ticket, and are refused beyond the same limit', async () => {
  const stores = limitedTo({ mail_bytes: 10 });
  const [account, assistant] = [randomId(), randomId()];
  const filled = (size: number) => {
    const files = [{ id: randomId(), name: 'a.txt', type: 'text/plain', size, is_inline: false }];
    const sender = { email: 'ann@example.com', name: '', subject: '', message: 'Why?' };
    const attached = { folder: randomId(), files };
    return stores.pendingCreations.open(account, assistant, randomId(), { kind: 'ticket', ...sender, attached });
  };
  await filled(6);
  await expect(filled(5)).rejects.toThrow('QUOTA_MAILS_MIB');
  expect(await stores.usage.used(account)).toMatchObject({ tickets: 1, mail_bytes: 6 });
  await stores.usage.outdate(account);
  expect(await stores.usage.used(account)).toMatchObject({ tickets: 1, mail_bytes: 6 });
});

test('an operation that is repeated in a full account finds what it has begun', async () => {
  const stores = limitedTo({ chats: 1, tickets: 1 });
  const [account, assistant, op] = [randomId(), randomId(), randomId()];
  expect(await ask(stores, account, assistant, op)).toBeDefined();
  expect(await ask(stores, account, assistant, op)).toBeUndefined();
  const ticket = await open(stores, account, assistant, { op });
  expect((await open(stores, account, assistant, { op }))._id).toBe(ticket._id);
  expect(await stores.usage.used(account)).toEqual({ chats: 1, tickets: 1, emails: 0, mail_bytes: 0 });
});

test('the conversations of a deleted assistant make room', async () => {
  const stores = limitedTo({ chats: 2 });
  const [account, assistant] = [randomId(), randomId()];
  for (let i = 0; i < 2; i++) await ask(stores, account, assistant);
  await stores.removal.forget(account, assistant);
  await stores.removal.sweep(account, assistant);
  expect(await through([1, 2, 3].map(() => ask(stores, account, randomId())))).toBe(2);
});

const action = fc.tuple(fc.constantFrom('ask', 'ticket', 'email', 'mail', 'again', 'delete', 'sweep'), fc.nat(3));

test('whatever happens to the conversations of an account, its counts are what there is', async () => {
  const actions = fc.array(action, { minLength: 8, maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(actions, async (actions) => {
      const stores = storesOn(database.db);
      const account = randomId();
      const assistants = Array.from({ length: 4 }, () => randomId());
      const done: (() => Promise<unknown>)[] = [];
      const begin = (act: () => Promise<unknown>) => {
        done.push(act);
        return act();
      };
      const act: Record<string, (n: number) => Promise<unknown> | undefined> = {
        ask: (n) => begin(ask.bind(null, stores, account, assistants[n]!, randomId())),
        ticket: (n) => begin(open.bind(null, stores, account, assistants[n]!, { op: randomId() })),
        email: (n) => begin(open.bind(null, stores, account, assistants[n]!, { kind: 'email', op: randomId() })),
        mail: (n) => begin(receive.bind(null, stores, account, assistants[n]!, 10 + n, randomId())),
        again: (n) => done[n]?.(),
        delete: (n) => stores.removal.forget(account, assistants[n]!),
        sweep: (n) => stores.removal.sweep(account, assistants[n]!),
      };
      const outcomes = await Promise.allSettled(
        actions.map(async ([name, n], i) => {
          // Three at a time.
          if (i % 3 === 0) await Promise.resolve();
          // A living assistant has nothing to be swept.
          if (name === 'sweep' && !(await stores.threads.deletedAssistants.isDeleted(account, assistants[n]!))) return;
          await act[name]!(n);
        }),
      );
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !isAppError(outcome.reason)) throw outcome.reason;
      const quotas = database.db.collection<{ _id: string; pending: object[] }>(QUOTAS);
      await until(async () => ((await quotas.findOne({ _id: account }))?.pending ?? []).length === 0);
      const used = await stores.usage.used(account);
      await quotas.updateOne({ _id: account }, { $unset: { counted_at: 1 } });
      expect(used).toEqual(await stores.usage.used(account));
    }),
    { numRuns: 25 },
  );
});
