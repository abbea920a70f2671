import { expect, test } from '@jest/globals';
import { createNotifier } from './notifier.ts';

const never = new AbortController().signal;
const LONG = 60_000;

test('a notification wakes the listeners of that thread, even if it came before they waited', async () => {
  const notifier = createNotifier();
  using first = notifier.listen('a');
  using second = notifier.listen('a');
  using other = notifier.listen('b');
  const waits = first.next(LONG, never);
  notifier.notify('a');
  await Promise.all([waits, second.next(LONG, never)]);
  notifier.notify('b');
  await other.next(LONG, never);
});

test('a wait without a notification ends in time, and rejects when its signal aborts', async () => {
  const notifier = createNotifier();
  using listener = notifier.listen('a');
  await listener.next(1, never);
  const end = new AbortController();
  const waits = expect(listener.next(LONG, end.signal)).rejects.toThrow('enough');
  end.abort(new Error('enough'));
  await waits;
});
