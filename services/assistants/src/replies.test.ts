import { expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import { createReplies } from './replies.ts';

const limits = { atOnce: 10, atOncePerAssistant: 10 };

test('stopping waits for the replies in progress', async () => {
  const replies = createReplies(10_000, limits);
  const work = gate();
  let done = false;
  const reply = replies.run('acme', 'a', () => work.opened);
  const stopped = replies.stop!().then(() => (done = true));
  await Promise.resolve();
  expect(done).toBe(false);
  work.open();
  await Promise.all([stopped, reply]);
  expect(replies.signal.aborted).toBe(false);
});

test('a reply that exceeds the grace period is aborted and awaited', async () => {
  const replies = createReplies(10, limits);
  const gaveUp = replies.run(
    'acme',
    'a',
    () => new Promise((_, reject) => replies.signal.addEventListener('abort', () => reject(replies.signal.reason))),
  );
  const refused = expect(gaveUp).rejects.toThrow('stopping');
  await replies.stop!();
  await refused;
});

test('replies in progress are limited by assistant, account and process, and one that ends or fails makes room', async () => {
  const replies = createReplies(10, { atOnce: 4, atOncePerAssistant: 1 });
  const work = gate();
  const refusal = { code: 'unavailable', retried: true };
  let begun = 0;
  const run = (assistant: string, account = 'acme') =>
    replies.run(account, assistant, async () => {
      begun += 1;
      await work.opened;
      if (assistant === 'b') throw new Error('failed');
    });
  const refused = (says: string) => ({ ...refusal, message: expect.stringContaining(says) });
  const under = [run('a')];
  await expect(run('a')).rejects.toMatchObject(refused('of this assistant'));
  const failing = expect(run('b')).rejects.toThrow('failed');
  await expect(run('c')).rejects.toMatchObject(refused('of this account'));
  under.push(run('d', 'other'), run('e', 'other'));
  await expect(run('f', 'third')).rejects.toMatchObject(refused('Too many replies are'));
  expect(begun).toBe(4);
  work.open();
  await Promise.all([...under, failing]);
  await Promise.all([run('a'), run('c')]);
});
