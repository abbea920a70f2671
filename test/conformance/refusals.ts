import { describe, expect, test } from '@jest/globals';
import type { Api } from '../e2e/api.ts';
import { expectRefused } from './check.ts';
import { classOf, eachClass, methodsClass } from './classes.ts';
import { a, bare, baseUrl, mine, readsOurSites, scoped } from './given.ts';
import { fill, type IdName, idsOf, METHODS, methodsOf, OPERATIONS, type Operation, PATHS } from './operations.ts';
import { unknownIds } from './populated.ts';

const { ids } = mine;
const unknown = unknownIds();
const having = (key: string) => a.api.as(`Bearer ${key}`);

const BAD_KEYS = [
  undefined,
  'Bearer',
  'Bearer nonsense',
  'Bearer parley_0000000000000000000000000000000000',
  `Bearer ${a.key.slice(0, -1)}${a.key.endsWith('x') ? 'y' : 'x'}`,
  `Bearer ${a.key} ${a.key}`,
  `Basic ${a.key}`,
  a.key,
];
/** A deployment allows only so many failed authentications a minute. */
const WRONG_KEYS = readsOurSites ? [undefined, 'Bearer nonsense'] : [undefined];
const MALFORMED = [
  'nope!',
  '01890a5d-ac96-474b-8cce',
  `${ids.faq}0`,
  'a b',
  '../me',
  '%',
  "' or 1=1",
  'ä',
  'x'.repeat(500),
];

/** Any text of this form may be an alias. */
const ALIAS = /^[a-z0-9][a-z0-9._-]{1,63}$/;
const malformed = (name: IdName) => (name === 'inbox' ? MALFORMED.filter((id) => !ALIAS.test(id)) : MALFORMED);

const send = (api: Api, { method, body }: Operation, at: string) =>
  api.request(method, at, { ...(body && { body: body() }) });

describe.each(eachClass(OPERATIONS, classOf))('$method $path', (row) => {
  const { path, scope } = row;

  test('requires a valid key', async () => {
    for (const authorization of path === '/me' ? BAD_KEYS : WRONG_KEYS) {
      const refused = await send(a.api.as(authorization), row, fill(path, ids));
      expect({ authorization, status: refused.status }).toEqual({ authorization, status: 401 });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    }
  });

  // With ids that do not exist, so that nothing is changed.
  const passes = idsOf(path).length > 0 ? 404 : 200;
  if (scope) {
    test(`requires ${scope}, whatever other scopes the key has, and names it`, async () => {
      expectRefused(await send(having(bare), row, fill(path, ids)), 403, scope);
      expectRefused(await send(scoped[scope].without, row, fill(path, ids)), 403, scope);
    });

    test(`requires no other scope than ${scope}`, async () => {
      expect((await send(scoped[scope].only, row, fill(path, unknown))).status).toBe(passes);
    });
  } else {
    test('requires no scope', async () => {
      expect((await send(having(bare), row, fill(path, unknown))).status).toBe(passes);
    });
  }

  for (const name of idsOf(path)) {
    test(`refuses a malformed ${name} id`, async () => {
      // An empty id at the end of a path is a trailing slash, which may match another route.
      for (const id of path.endsWith(`{${name}}`) ? malformed(name) : [...malformed(name), '']) {
        const refused = await send(a.api, row, fill(path, { ...ids, [name]: id }));
        expect({ id, status: refused.status }).toEqual({ id, status: 400 });
      }
    });

    test(`answers 404 to an unknown ${name} id`, async () => {
      expectRefused(await send(a.api, row, fill(path, { ...ids, [name]: unknown[name] })), 404);
    });
  }
});

describe('an unsupported method', () => {
  test.each(eachClass(PATHS, methodsClass))('on %s gets 405 with the allowed methods', async (path) => {
    const allowed = methodsOf(path);
    // A route with an id in that place also matches these fixed paths.
    if (/^\/knowledge\/[a-z]+$/.test(path)) allowed.push(...methodsOf('/knowledge/{faq}'));
    for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
      const refused = await a.api.request(method, fill(path, ids), method === 'GET' ? {} : { body: {} });
      expect({ method, status: refused.status }).toEqual({ method, status: 405 });
      const named = refused.headers.get('allow')!.split(/\s*,\s*/);
      expect(named).toEqual(expect.arrayContaining(methodsOf(path)));
      expect(named).not.toContain(method);
    }
  });
});

describe('an unknown route', () => {
  const unknownRoutes = [
    '/nothing',
    '/knowledge/x/y/z/w',
    '/Knowledge',
    '/chatbots/x',
    '/chatbot',
    '/ticket-form',
    '/email-inbox',
    '/ticket-forms/x',
    '/tickets',
    '/emails',
    '/personas/x',
    '/persona',
    '/api-key',
    '/me/too',
    '/API-KEYS',
    '/v1/me',
    `/chatbot/${ids.chatbot}/tickets`,
    `/ticket-form/${ids.form}/chats`,
    `/email-inbox/${ids.inbox}/tickets`,
    `/chatbot/${ids.chatbot}/chats/${ids.chat}/history`,
    `/chatbot/${ids.chatbot}/chats/${ids.chat}/reply`,
  ];

  test.each(unknownRoutes)('%s is a 404 with a key, a 401 without', async (path) => {
    expectRefused(await a.api.get(path), 404);
    expectRefused(await a.api.post(path, {}), 404);
    for (const key of WRONG_KEYS) expect((await a.api.as(key).get(path)).status).toBe(401);
  });

  test('outside /v1 is a 404 in the envelope', async () => {
    for (const path of ['/v2/me', '/v1x', '/favicon.ico']) {
      const response = await fetch(new URL(path, baseUrl));
      expect([path, response.status === 401 || response.status === 404]).toEqual([path, true]);
      expect(await response.json()).toMatchObject({ success: false, message: expect.any(String) });
    }
  });
});
