import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Scope, VerifyKeyResponseSchema } from '@parley/proto/auth/v1/auth_service_pb';
import { createLog } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { createKeyCache } from './key-cache.ts';

const SENT = Date.parse('2026-01-01T00:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: SENT });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A cache in front of an auth service whose responses the test triggers. */
function cache(expiresAt?: number) {
  const asked: { resolve(): void; reject(error: Error): void }[] = [];
  const answer = create(VerifyKeyResponseSchema, {
    account: { id: 'account', name: 'Acme' },
    apiKey: { id: 'key', scopes: [Scope.CHATBOTS_WRITE], ...(expiresAt && { expiresAt: timestampFromMs(expiresAt) }) },
  });
  const verifyKey = () =>
    new Promise<typeof answer>((resolve, reject) => {
      asked.push({ resolve: () => resolve(answer), reject });
    });
  const keys = createKeyCache({ auth: { verifyKey }, secret: randomId(), log: createLog('test', 'silent') });
  return { asked, identify: () => keys.identify('parley_key', 'request') };
}

test('concurrent requests with a key share one verification', async () => {
  const { asked, identify } = cache();
  const both = [identify(), identify()];
  expect(asked.length).toBe(1);
  asked[0]!.resolve();
  expect((await Promise.all(both)).map(({ key }) => key.scopes)).toEqual(Array(2).fill(['CHATBOTS_WRITE']));
});

test('a verification counts for ten seconds from when it was sent, however late it returned', async () => {
  const { asked, identify } = cache();
  const first = identify();
  jest.advanceTimersByTime(4_000);
  asked[0]!.resolve();
  await first;
  jest.advanceTimersByTime(5_999);
  await identify();
  expect(asked.length).toBe(1);
  jest.advanceTimersByTime(2);
  void identify();
  expect(asked.length).toBe(2);
});

test('a verification does not outlast the expiry of the key', async () => {
  const { asked, identify } = cache(SENT + 3_000);
  const first = identify();
  asked[0]!.resolve();
  await first;
  jest.advanceTimersByTime(3_000);
  const late = identify();
  await Promise.resolve().then(() => Promise.resolve());
  expect(asked.length).toBe(2);
  asked[1]!.reject(new Error('expired'));
  await expect(late).rejects.toThrow('expired');
});

test('failures are not cached', async () => {
  const { asked, identify } = cache();
  const refused = identify();
  asked[0]!.reject(new Error('away'));
  await expect(refused).rejects.toThrow('away');
  const again = identify();
  asked[1]!.resolve();
  expect((await again).account.id).toBe('account');
});
