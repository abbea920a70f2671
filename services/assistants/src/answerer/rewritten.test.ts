import { expect, test } from '@jest/globals';
import { createOpenAiAnswerer } from './openai.ts';
import { fallback, followUp, KEY, type Server } from './testing/ask.ts';
import { fails, says, silent, startModelServer } from './testing/model-server.ts';

const rewrite = ({ baseUrl }: Pick<Server, 'baseUrl'>, more: object = {}, options: object = {}) =>
  createOpenAiAnswerer({ apiKey: KEY, baseUrl, model: 'stub', fallback, ...options }).rewrite!(
    { ...followUp, ...more },
    new AbortController().signal,
  );

test('a follow-up is rewritten with what was said; a question that stands alone is not', async () => {
  await using server = await startModelServer(says(' "When does the shop open on Sundays?"\n'));
  expect(await rewrite(server)).toBe('When does the shop open on Sundays?');
  expect(server.requests[0]!.body).toMatchObject({ max_tokens: 150 });
  expect(server.requests[0]!.body).not.toHaveProperty('response_format');
  const alone = 'How long is the warranty of the pump?';
  expect(await rewrite(server, { question: alone })).toBe(alone);
  expect(await rewrite(server, { history: [] })).toBe(followUp.question);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['answers it', says('The shop is closed on Sundays because the owner, Mr Miller, rests.')],
  ['invents a number', says('Does the shop open at 8 on Sundays?')],
  ['writes a page', says('When does\nthe shop open?')],
  ['writes nothing', says(' ')],
  ['fails', fails(500)],
  ['refuses the key', fails(401)],
  ['is silent', silent],
])('a follow-up stays as it is if the model %s', async (_, behaviour) => {
  await using server = await startModelServer(behaviour);
  expect(await rewrite(server, {}, { totalMs: 2_000 })).toBe(followUp.question);
});
