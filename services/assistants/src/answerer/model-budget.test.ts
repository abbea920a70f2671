import { expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { createOpenAiAnswerer } from './openai.ts';
import { ask, asked, cited, failure, good, instead, KEY } from './testing/ask.ts';
import { fails, rejects, says, saysAndCounts, startModelServer } from './testing/model-server.ts';

/** A budget in memory, with what is used of it. */
function budgetOf(perDay: number) {
  const budget = {
    used: 0,
    accounts: new Set<string>(),
    async reserve(account: string, tokens: number) {
      budget.accounts.add(account);
      if (budget.used + tokens > perDay) return undefined;
      budget.used += tokens;
      return {
        async settle(actual: number) {
          budget.used += actual - tokens;
        },
      };
    },
  };
  return budget;
}

test('an account is charged the tokens that the server reports', async () => {
  await using server = await startModelServer(saysAndCounts(good, 400, 30));
  const budget = budgetOf(10_000);
  expect((await ask(server, { account: 'a' }, { budget })).message).toBe(cited);
  expect(budget).toMatchObject({ used: 430, accounts: new Set(['a']) });
});

test('a server that reports no tokens is charged an estimate; one that refuses the request, nothing', async () => {
  const budget = budgetOf(10_000);
  await using silentServer = await startModelServer(rejects('no temperature'), rejects('no'), says(good));
  const answerer = createOpenAiAnswerer({
    apiKey: KEY,
    baseUrl: silentServer.baseUrl,
    model: 'stub',
    budget,
  });
  const one = async () => (await answerer.answer({ ...asked, account: 'a' }, new AbortController().signal)).message;
  expect(await one()).toBe(cited);
  expect(silentServer.requests.map(({ body }) => ['temperature' in body, 'stream_options' in body])).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
  const { used } = budget;
  expect(used).toBeGreaterThan(200);
  expect(used).toBeLessThan(2_000);
  await one();
  expect(budget.used).toBe(2 * used);
  expect(silentServer.requests).toHaveLength(4);

  await using refusing = await startModelServer(fails(401));
  await failure(ask(refusing, { account: 'a' }, { budget }));
  expect(budget.used).toBe(2 * used);
});

test('once the tokens of the day are spent, quotes of the pages answer, and the log says why', async () => {
  await using server = await startModelServer(saysAndCounts(good, 400, 30));
  const lines: string[] = [];
  const log = createLog('test', 'info', 'json', { write: (line: string) => void lines.push(line) });
  const options = { budget: budgetOf(2_000), log, answerTokens: 200 };
  const answers: unknown[] = [];
  for (let i = 0; i < 6; i++) answers.push(await ask(server, { account: 'a' }, options));
  expect(answers.at(0)).toMatchObject({ message: cited });
  expect(answers.at(-1)).toEqual(instead);
  expect(server.requests.length).toBeLessThan(6);
  expect(lines.at(-1)).toContain('MODEL_TOKENS_PER_DAY');
});
