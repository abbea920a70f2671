import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { linkedSignal } from './linked-signal.ts';

test('it aborts with the first of its signals, for its reason, and is not late', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  using linked = linkedSignal([first.signal, second.signal], 60_000);
  expect(linked.signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('too late');
  expect(linked).toMatchObject({ late: false, signal: { aborted: true, reason: 'enough' } });
});

test('of signals that have aborted before, it has aborted', () => {
  using linked = linkedSignal([new AbortController().signal, AbortSignal.abort('before')]);
  expect(linked.signal.reason).toBe('before');
});

test('it aborts when its time has passed, and says that it is late', async () => {
  using linked = linkedSignal([new AbortController().signal], 20);
  await new Promise((resolve) => linked.signal.addEventListener('abort', resolve));
  expect(linked).toMatchObject({ late: true, signal: { reason: { name: 'TimeoutError' } } });
});

test('once disposed of, it follows nobody, and is let go even where somebody still listens', async () => {
  const lasting = new AbortController();
  const gone = new Set<string>();
  const registry = new FinalizationRegistry((name: string) => gone.add(name));
  (function work() {
    using linked = linkedSignal([lasting.signal], 60_000);
    linked.signal.addEventListener('abort', () => {});
    registry.register(linked.signal, 'signal');
  })();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  while (!gone.has('signal')) {
    collect();
    await sleep(10);
  }
  lasting.abort();
});
