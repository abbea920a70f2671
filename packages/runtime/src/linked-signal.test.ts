import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { linkedSignal } from './linked-signal.ts';

test('it aborts with the first of its signals, for the same reason, and is not late', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  using linked = linkedSignal([first.signal, second.signal], 60_000);
  expect(linked.signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('too late');
  expect(linked).toMatchObject({ late: false, signal: { aborted: true, reason: 'enough' } });
});

test('it is aborted if one of its signals already was', () => {
  using linked = linkedSignal([new AbortController().signal, AbortSignal.abort('before')]);
  expect(linked.signal.reason).toBe('before');
});

test('it aborts at its timeout, and reports that it is late', async () => {
  using linked = linkedSignal([new AbortController().signal], 20);
  await new Promise((resolve) => linked.signal.addEventListener('abort', resolve));
  expect(linked).toMatchObject({ late: true, signal: { reason: { name: 'TimeoutError' } } });
});

test('once disposed of, it follows no signal, and is garbage-collected even if something still listens', async () => {
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
