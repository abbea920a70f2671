import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { type Answer, world } from '../testing/world.ts';

test('429 comes after the key and before the path, for the key that sent too many requests and no other', async () => {
  const strict = await world({ requestsPerMinute: 2 });
  const status = async (key = strict.account.key) => (await strict.call('GET', '/v1/nowhere', { key })).status;
  const answers: Answer[] = [];
  // The third one, unless a new minute begins.
  const refused = await until(async () => {
    const answer = await strict.call('GET', '/v1/nowhere');
    answers.push(answer);
    return answer.status === 429 && answer;
  });
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([404, 429]));
  const retryAfter = Number((refused as Answer).headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(60);
  for (const { headers } of answers) {
    expect(headers.get('ratelimit-policy')).toBe('"default";q=2;w=60, "account";q=150000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=[01];t=\d+, "account";r=\d+;t=\d+$/);
  }
  expect([await status('parley_no'), await status(strict.keyWith()), await status(strict.other.key)]).toEqual([
    401, 404, 404,
  ]);
  await strict.end();
});
