import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import fc, { type Scheduler } from 'fast-check';
import type { Incoming } from './receiving.ts';
import { type Actor, interleaved, Killed } from './testing/race.ts';
import { storesOn, threadDatabase } from './testing/threads.ts';

const database = threadDatabase();
const SETTINGS = { quietMs: 0, mailDomain: 'mail.example' };
const mail = {
  ...{ from: 'ann@example.com', authenticated: true, automatic: false, quoted: '', is_cut: false, attachments: [] },
  verdicts: { spf: 'pass', dkim: 'none', dmarc: 'none' },
};
const message = (fields: Partial<Incoming> = {}): Incoming => ({
  ...{
    name: 'Ann',
    subject: 'Lamp',
    message: 'Why?',
    mail,
    messageId: `${randomId()}@example.com`,
    references: [],
    bytes: 12,
  },
  ...fields,
});

/** Stores of a process that dies before an operation. */
function dyingAt(last: number) {
  let operation = 0;
  const schedule = async () => {
    if (operation++ === last) throw new Killed();
  };
  const scheduler = { schedule } as unknown as Scheduler;
  return storesOn(interleaved(database.db, { acts: [], lives: Infinity }, scheduler), () => {}, SETTINGS);
}

const stores = () => storesOn(database.db, undefined, SETTINGS);

async function saidIn(account: string) {
  const { threads } = stores();
  const found = await threads.collection.find({ account, deleted_at: null }).toArray();
  return Promise.all(
    found.map(async (thread) => (await threads.entries.of(thread, { said: true })).map(({ text }) => text)),
  );
}

test('wherever the receiver of a mail dies, the sender’s next attempt stores it once, in the thread that the first had chosen', async () => {
  // Each takes fewer operations than this.
  for (let dies = 0; dies < 18; dies++) {
    const scope = { account: randomId(), kind: 'email', assistant: randomId() } as const;
    const [first, second] = [message(), message({ message: 'And?' })];
    const [op, next] = [randomId(), randomId()];
    const attempt = (receive: Promise<unknown>) => receive.catch((error) => expect(error).toBeInstanceOf(Killed));
    await attempt(dyingAt(dies).receiving.receive(scope, op, first));
    await stores().receiving.receive(scope, op, first);
    const reply = { ...second, references: [first.messageId] };
    await attempt(dyingAt(dies).receiving.receive(scope, next, reply));
    await stores().receiving.receive(scope, next, reply);
    expect([dies, await saidIn(scope.account)]).toEqual([dies, [['Why?', 'And?']]]);
  }
});

test('wherever the sender of a mail dies, its entry has one mail, and one that was sent is not due again', async () => {
  for (let dies = 0; dies < 10; dies++) {
    const scope = { account: randomId(), kind: 'email', assistant: randomId() } as const;
    const { receiving, people, mails } = stores();
    const { thread } = await receiving.receive(scope, randomId(), message());
    const { _id: id, account } = thread;
    const { last } = await people.reply({ ...scope, id }, randomId(), 'So.');
    const dying = dyingAt(dies).outgoing;
    const died = await (async () => {
      await dying.queue(account, id, last!._id);
      const claimed = (await dying.claim(60_000))!;
      await dying.end(claimed, 'sent', '');
    })().catch((error) => expect(error).toBeInstanceOf(Killed));
    expect(died).toBeUndefined();
    // Another process: the event comes again, and the claim of the one that died expires.
    const { outgoing } = stores();
    await outgoing.queue(account, id, last!._id);
    await mails.collection.updateMany({ account, due: { $exists: true } }, { $set: { due: new Date(0) } });
    const claimed = await outgoing.claim(60_000);
    if (claimed) expect(await outgoing.end(claimed, 'sent', '')).toBe(true);
    expect(await mails.collection.find({ account, direction: 'out' }).toArray()).toMatchObject([
      { _id: last!._id, delivery: { state: 'sent' } },
    ]);
    expect(await outgoing.claim(60_000)).toBeUndefined();
  }
});

test('however attempts to deliver a mail and its reply interleave, each is stored once, in one thread', async () => {
  const lives = fc.oneof(fc.constant(Infinity), fc.nat(12));
  const attempts = fc.array(fc.record({ which: fc.nat(2), lives }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(attempts, fc.scheduler(), async (all, scheduler) => {
      const scope = { account: randomId(), kind: 'email', assistant: randomId() } as const;
      const first = message();
      await stores().receiving.receive(scope, randomId(), first);
      const replies = [0, 1, 2].map((i) => ({
        op: randomId(),
        incoming: message({ message: `reply ${i}`, references: [first.messageId] }),
      }));
      const acknowledged = new Set<string>();
      const running = all.map(async ({ which, lives }) => {
        const actor: Actor = { acts: [], lives };
        const { receiving } = storesOn(interleaved(database.db, actor, scheduler), () => {}, SETTINGS);
        const { op, incoming } = replies[which]!;
        await receiving.receive(scope, op, incoming).then(
          () => acknowledged.add(incoming.message),
          (error) => expect(error).toBeInstanceOf(Killed),
        );
      });
      await scheduler.waitFor(Promise.all(running));
      const [said = [], ...others] = await saidIn(scope.account);
      expect(others).toEqual([]);
      expect(new Set(said).size).toBe(said.length);
      expect(said).toEqual(expect.arrayContaining([...acknowledged]));
    }),
    { numRuns: 20 },
  );
});
