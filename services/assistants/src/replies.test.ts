import { expect, test } from '@jest/globals';
import { createReplies } from './replies.ts';

test('stopping waits for the replies under way', async () => {
  const replies = createReplies(10_000);
  let finish!: () => void;
  let done = false;
  replies.track(new Promise<void>((resolve) => (finish = resolve)));
  const stopped = replies.stop!().then(() => (done = true));
  await Promise.resolve();
  expect(done).toBe(false);
  finish();
  await stopped;
  expect(replies.signal.aborted).toBe(false);
});

test('a reply that takes longer than the grace is told to give up, and waited for', async () => {
  const replies = createReplies(10);
  const gaveUp = replies.track(
    new Promise((_, reject) => replies.signal.addEventListener('abort', () => reject(replies.signal.reason))),
  );
  const refused = expect(gaveUp).rejects.toThrow('stopping');
  await replies.stop!();
  await refused;
});
