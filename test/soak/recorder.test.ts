import { expect, test } from '@jest/globals';
import { createRecorder } from './recorder.ts';

const AGO = () => performance.now() - 50;

test('each minute has its own counts and times, and the totals go on', () => {
  const recorder = createRecorder();
  recorder.answered('read', AGO());
  recorder.answered('read', AGO());
  expect(recorder.take()).toEqual({
    ...{ requests: 2, retried: 0, errors: 0 },
    kinds: { read: { count: 2, p50: expect.any(Number), p99: expect.any(Number) } },
  });
  recorder.answered('training', AGO());
  expect(recorder.take()).toMatchObject({ requests: 0, kinds: { training: { count: 1 } } });
  expect(recorder.totals.requests).toBe(2);
});

test('what is put off around a restart is counted apart; at any other time it is an error', () => {
  const recorder = createRecorder();
  const end = recorder.disturb();
  recorder.putOff('GET /v1/me: 503', performance.now());
  const began = performance.now();
  end();
  recorder.putOff('GET /v1/me: 503', began);
  expect(recorder.take()).toMatchObject({ retried: 2, errors: 0 });
  recorder.putOff('GET /v1/me: 503', performance.now());
  expect(recorder.take()).toMatchObject({ retried: 0, errors: 1 });
  expect(recorder.errors).toEqual([expect.stringMatching(/Z GET \/v1\/me: 503, although nothing was restarted$/)]);
});

test('times that a restart disturbed are left out', () => {
  const recorder = createRecorder();
  const began = AGO();
  recorder.disturb()();
  recorder.answered('read', began);
  expect(recorder.take()).toEqual({ requests: 1, retried: 0, errors: 0, kinds: {} });
});
