import { expect, test } from '@jest/globals';
import { createBell } from './bell.ts';

const never = new AbortController().signal;
const LONG = 60_000;

test('a ring wakes the listeners of that thread, even if it came before they waited', async () => {
  const bell = createBell();
  using first = bell.listen('a');
  using second = bell.listen('a');
  using other = bell.listen('b');
  const waits = first.next(LONG, never);
  bell.ring('a');
  await Promise.all([waits, second.next(LONG, never)]);
  bell.ring('b');
  await other.next(LONG, never);
});

test('a wait without a ring ends in time, and rejects when its signal aborts', async () => {
  const bell = createBell();
  using listener = bell.listen('a');
  await listener.next(1, never);
  const end = new AbortController();
  const waits = expect(listener.next(LONG, end.signal)).rejects.toThrow('enough');
  end.abort(new Error('enough'));
  await waits;
});
