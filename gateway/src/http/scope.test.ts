import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { routes } from '../resources/index.ts';
import { route } from '../route.ts';
import { lacking, SCOPE_NAMES, type ScopeName } from '../scopes.ts';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const holding = (...scopes: ScopeName[]) => ({ scopes, restricted: true });
const named = (all: readonly { name: string }[]) => all.map(({ name }) => name);
const forKeys = routes.filter(({ access }) => access === 'key');
/** The routes that a restricted key may use. */
const usable = (...scopes: ScopeName[]) => named(forKeys.filter((route) => !lacking(route, holding(...scopes))));

test('a restricted key without scopes can use nothing but /me', () => {
  expect(usable()).toEqual(['getMe']);
});

test('a key in a web shop can do no more than find a chatbot and ask it', () => {
  expect(usable('CHATS_REPLY').sort()).toEqual(['askChatbot', 'getChatbot', 'getMe', 'listChatbots']);
});

test('a scope for writing includes reading the same', () => {
  for (const [read, write] of [
    ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'],
    ['TICKETS_READ', 'TICKETS_WRITE'],
    ['EMAILS_READ', 'EMAILS_WRITE'],
  ] as const)
    expect(usable(write)).toEqual(expect.arrayContaining(usable(read)));
});

test('a key that is not restricted needs a scope only where the contract names one', () => {
  for (const route of forKeys)
    expect([route.name, lacking(route, { scopes: [], restricted: false })]).toEqual([
      route.name,
      route.scope === 'any key' ? undefined : [route.scope],
    ]);
});

test('a refusal names the scopes of which one is sufficient, before anything about the request is checked', async () => {
  const key = w.restrictedTo(Scope.CHATS_REPLY);
  const tickets = await w.get('/ticket-form/nope!/tickets', { key });
  expect(tickets).toMatchObject({
    status: 403,
    body: { message: 'This API key lacks the scope TICKETS_READ or TICKETS_WRITE.' },
  });
  expect((await w.post('/chatbots', {}, { key })).status).toBe(403);
  expect((await w.get('/chatbots', { key })).status).toBe(200);
  expect((await w.get('/me', { key })).body.data.key).toMatchObject({ scopes: ['CHATS_REPLY'], restricted: true });
});

test('a route that does not say what a restricted key needs does not compile, and is refused', () => {
  const definition = { method: 'GET', path: '/x', summary: 'X', call: async () => {} } as const;
  // @ts-expect-error it needs `scope`
  const silent = route(definition);
  expect(lacking(silent, holding(...SCOPE_NAMES))).toBeDefined();
});
