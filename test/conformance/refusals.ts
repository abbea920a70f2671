import { describe, expect, test } from '@jest/globals';
import { a, b, bare, mine, parley, theirs } from './given.ts';
import { unknownIds } from './populated.ts';
import { fill, idsOf, METHODS, ROUTES } from './routes.ts';

const { ids } = mine;
const unknown = unknownIds();
const unscoped = a.api.as(`Bearer ${bare}`);
const paths = [...new Set(ROUTES.map(({ path }) => path))];

const methodsOf = (path: string) => ROUTES.filter((row) => row.path === path).map(({ method }) => method as string);
/** Paths that differ only in what the ids stand for are one. */
const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}');
const allowedAt = (path: string) =>
  paths.filter((other) => shapeOf(other) === shapeOf(path)).flatMap((other) => methodsOf(other));

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
const MALFORMED = ['nope!', '01890a5d-ac96-474b-8cce', `${ids.faq}0`, 'a b', '../me', '%', "' or 1=1"];

describe.each(ROUTES)('$method $path', ({ method, path, scope, body }) => {
  const send = (api: typeof a.api, at: string) => api.request(method, at, { ...(body && { body }) });

  test('asks for a key, and for a good one', async () => {
    for (const authorization of BAD_KEYS) {
      const refused = await send(a.api.as(authorization), fill(path, ids));
      expect({ authorization, status: refused.status }).toEqual({ authorization, status: 401 });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    }
  });

  if (scope) {
    test(`names ${scope} to a key that lacks it`, async () => {
      expect(await send(unscoped, fill(path, ids))).toMatchObject({
        status: 403,
        body: { success: false, message: expect.stringContaining(scope) },
      });
    });
  } else {
    test('needs no scope', async () => {
      expect((await send(unscoped, fill(path, unknown))).status).toBe(idsOf(path).length > 0 ? 404 : 200);
    });
  }

  for (const name of idsOf(path)) {
    test(`refuses what is not the id of a ${name}`, async () => {
      // At the end of a path, nothing is a trailing slash, which may belong to another route.
      for (const id of path.endsWith(`{${name}}`) ? MALFORMED : [...MALFORMED, '']) {
        const refused = await send(a.api, fill(path, { ...ids, [name]: id }));
        expect({ id, status: refused.status }).toEqual({ id, status: 400 });
      }
    });

    test(`does not find a ${name} that does not exist`, async () => {
      expect(await send(a.api, fill(path, { ...ids, [name]: unknown[name as keyof typeof ids] }))).toMatchObject({
        status: 404,
        body: { success: false },
      });
    });
  }

  const [parent, child] = idsOf(path);
  if (parent) {
    test("refuses another account's, whatever the child is", async () => {
      const all = await send(a.api, fill(path, theirs.ids));
      expect(all).toMatchObject({ status: 403, body: { success: false } });
      if (!child) return;
      const one = await send(a.api, fill(path, { ...theirs.ids, [child]: unknown[child as keyof typeof ids] }));
      expect(one.status).toBe(403);
      const own = await send(a.api, fill(path, { ...theirs.ids, [child]: ids[child as keyof typeof ids] }));
      expect(own.status).toBe(403);
    });
  }
  if (child) {
    test('looks a child up inside its parent', async () => {
      const at = fill(path, { ...ids, [child]: theirs.ids[child as keyof typeof ids] });
      expect((await send(a.api, at)).status).toBe(404);
    });
  }
});

test("nothing of another account's was changed by all that was refused", async () => {
  expect(await populatedStill(b, theirs.ids)).toEqual([200, 200, 200, 200]);
});

const populatedStill = async ({ api }: typeof b, of: typeof theirs.ids) =>
  Promise.all(
    [
      `/knowledge/${of.faq}`,
      `/knowledge/${of.website}`,
      `/chatbot/${of.chatbot}`,
      `/chatbot/${of.chatbot}/chats/${of.chat}`,
    ].map(async (path) => (await api.get(path)).status),
  );

describe('another method', () => {
  test.each(paths)('at %s is answered with those that are allowed', async (path) => {
    const allowed = allowedAt(path);
    // The words of fixed paths could be read as an id by a route beside them.
    if (path === '/knowledge/website' || path === '/knowledge/faq') allowed.push('GET', 'DELETE');
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
    '/',
    '/nothing',
    '/knowledge/x/y/z/w',
    '/Knowledge',
    '/chatbots/x',
    '/chatbot',
    '/me/too',
    '/API-KEYS',
  ];

  test.each(unknownRoutes)('%s is a 404 with a key, a 401 without', async (path) => {
    expect((await a.api.get(path)).status).toBe(404);
    expect((await a.api.post(path, {})).status).toBe(404);
    expect((await a.api.as(undefined).get(path)).status).toBe(401);
    expect((await a.api.as('Bearer nonsense').get(path)).status).toBe(401);
  });

  test('outside /v1 is a 404 in the envelope', async () => {
    for (const path of ['/', '/v2/me', '/v1x', '/favicon.ico']) {
      const response = await fetch(new URL(path, parley.baseUrl));
      expect([path, response.status === 401 || response.status === 404]).toEqual([path, true]);
      expect(await response.json()).toMatchObject({ success: false, message: expect.any(String) });
    }
  });
});
