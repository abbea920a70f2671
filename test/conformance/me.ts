import { expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import { expectData, UUID } from './check.ts';
import { a, b, bare, keyWith } from './given.ts';
import { SCOPES } from './operations.ts';

interface Me {
  account: { id: string; name: string };
  key: { id: string; name: string; scopes: string[]; restricted: boolean; expires_at: string | null };
}

const me = {
  account: { id: UUID, name: expect.any(String) },
  key: { id: UUID, name: expect.any(String), scopes: expect.any(Array), restricted: false, expires_at: null },
};

test('a key can read its own details and those of its account', async () => {
  expectData(await a.api.get('/me'), me);
  const { account } = must(await a.api.get<Me>('/me'));
  expectData(await a.api.as(`Bearer ${bare}`).get('/me'), { account, key: { ...me.key, scopes: [] } });
  const scopes = ['TICKETS_WRITE', 'CHATBOTS_WRITE'] as const;
  const both = must(await a.api.as(`Bearer ${await keyWith(...scopes)}`).get<Me>('/me'));
  expect(both.account).toEqual(account);
  expect(new Set(both.key.scopes)).toEqual(new Set(scopes));
});

test('another account reads its own details', async () => {
  const [mine, theirs] = [must(await a.api.get<Me>('/me')), must(await b.api.get<Me>('/me'))];
  expect(theirs.account.id).not.toBe(mine.account.id);
  expect(theirs.key.id).not.toBe(mine.key.id);
});

test('the first key of an account holds every scope', async () => {
  const { key } = must(await a.api.get<Me>('/me'));
  expect(new Set(key.scopes)).toEqual(new Set(SCOPES));
});
