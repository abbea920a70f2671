/** Rules of every operation for browsers: origins, tokens, bodies and ids. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Answer, must, type RequestOptions } from '../e2e/api.ts';
import type { Chatbot } from '../e2e/resources.ts';
import { publicApi, visitorOf } from '../e2e/visitor.ts';
import { expectRefused } from './check.ts';
import { a, baseUrl, mine, storesNothing } from './given.ts';
import { fill, METHODS, VISITOR_OPERATIONS, type VisitorOperation } from './operations.ts';
import { QUESTION } from './populated.ts';

const PAGE = 'https://www.example.com';
const api = publicApi(baseUrl);
const chatbot = mine.chatbot.public_id;
const at = `/chatbot/${mine.ids.chatbot}`;

/** Chatbots with a visitor who has an answer each; the first one may be shown on one page. */
const embedded = async (domains: string[]) => {
  const { public_id } = must(await a.api.post<Chatbot>('/chatbots', { title: 'Embedded', allowed_domains: domains }));
  const visitor = visitorOf(baseUrl, public_id, { origin: domains[0] ? PAGE : undefined });
  const { message_id: message } = await visitor.told(QUESTION);
  return { ids: { publicId: public_id, message }, token: visitor.token()! };
};
const given = Promise.all([embedded(['www.example.com']), embedded([])]);

interface Sending extends RequestOptions {
  token?: string | undefined;
  origin?: string;
  ids?: object;
}

async function send(
  { method, path, body, token: needs }: VisitorOperation,
  sending: Sending = {},
): Promise<Answer<unknown>> {
  const [{ ids, token }] = await given;
  const own = 'token' in sending ? sending.token : needs && token;
  return api.request(method, fill(path, { ...ids, ...sending.ids }), {
    ...(body && { body: body() }),
    ...('body' in sending && { body: sending.body }),
    headers: {
      origin: sending.origin ?? PAGE,
      ...(own !== undefined && { 'x-visitor-token': own }),
      ...sending.headers,
    },
  });
}

describe.each(VISITOR_OPERATIONS)('$method $path', (row) => {
  const { method, path, body, token } = row;

  test('needs no key, and an allowed page can read its answer', async () => {
    const keys: Record<string, string>[] = [{}, { authorization: 'Bearer nonsense' }];
    for (const headers of keys) {
      const answer = await send(row, { headers });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': expect.stringContaining('Retry-After'),
        'cache-control': 'no-store',
        vary: expect.stringContaining('Origin'),
      });
      expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
    }
  });

  storesNothing([`${at}/chats`], () => {
    test('refuses any other page, and hides that from it', async () => {
      for (const origin of ['https://example.com', `${PAGE}:8443`, 'http://evil.example', 'null', 'nonsense']) {
        const refused = await send(row, { origin });
        expectRefused(refused, 403, 'page');
        expect([origin, refused.headers.get('access-control-allow-origin')]).toEqual([origin, null]);
        expect(refused.headers.get('vary')).toContain('Origin');
      }
    });

    test('answers 404 to an unknown chatbot, and 400 to a malformed public id', async () => {
      for (const publicId of ['AbCdEfGhIjKl', mine.chatbot.public_id.toLowerCase().padEnd(12, 'x')])
        expectRefused(await send(row, { ids: { publicId } }), 404);
      for (const publicId of ['no!', 'x', mine.ids.chatbot, 'a b', '%', 'x'.repeat(500)])
        expectRefused(await send(row, { ids: { publicId } }), 400, 'public_id');
    });

    if (token) {
      test('refuses a token that is not ours, was changed, or is of another chatbot', async () => {
        const [one, other] = await given;
        for (const wrong of ['garbage', `${one.token}A`, one.token.slice(1), `x${one.token.slice(1)}`]) {
          const refused = await send(row, { token: wrong });
          expectRefused(refused, 401, 'token');
          expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE);
        }
        expectRefused(await send(row, { token: other.token }), 404);
      });
    }
    if (token === 'needed') {
      test('needs a token', async () => {
        expectRefused(await send(row, { token: undefined }), 401, 'X-Visitor-Token');
      });
    }

    if (path.includes('{message}')) {
      test('refuses a message that is malformed or not there', async () => {
        expectRefused(await send(row, { ids: { message: 'no!' } }), 400, 'message_id');
        const [, other] = await given;
        for (const message of [randomUUID(), other.ids.message])
          expectRefused(await send(row, { ids: { message } }), 404);
      });
    }

    if (body) {
      test('refuses a body that is too large, of another type or no JSON object', async () => {
        const huge = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });
        expectRefused(await send(row, { body: huge }), 413);
        expectRefused(await send(row, { body: 'x', headers: { 'content-type': 'text/plain' } }), 415);
        for (const broken of ['{', '[]', '"text"']) expectRefused(await send(row, { body: broken }), 400);
      });

      test('refuses a request without an Origin', async () => {
        const [{ ids, token: own }] = await given;
        const headers = { ...(token && { 'x-visitor-token': own }) };
        expectRefused(await api.request(method, fill(path, ids), { body: body(), headers }), 403, 'Origin');
      });
    }
  });

  test('tells a browser in advance what it may send, and knows no other method', async () => {
    const [{ ids }] = await given;
    const ahead = await api.request('OPTIONS', fill(path, ids), {
      headers: { origin: PAGE, 'access-control-request-method': method },
    });
    expect(ahead.status).toBe(204);
    expect(Object.fromEntries(ahead.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-max-age': expect.stringMatching(/^\d+$/),
      allow: expect.stringContaining(method),
    });
    for (const other of METHODS.filter((one) => one !== method)) {
      const refused = await send(
        { ...row, method: other, body: () => ({}) },
        other === 'GET' ? { body: undefined } : {},
      );
      expect([other, refused.status]).toEqual([other, 405]);
    }
  });
});

test('where no domains are listed, only pages of the gateway itself may show a chatbot', async () => {
  const path = `/public/v1/chatbots/${chatbot}`;
  for (const origin of [PAGE, 'http://localhost', 'null'])
    expectRefused(await api.request('GET', path, { headers: { origin } }), 403);
  const own: Record<string, string>[] = [{}, { origin: new URL(baseUrl).origin }];
  for (const headers of own) expect((await api.request('GET', path, { headers })).status).toBe(200);
});

test('no other part of the API answers a page of another origin', async () => {
  for (const path of ['/v1/chatbots', '/v1/openapi.json', '/docs', '/public/v1/nothing']) {
    const response = await fetch(new URL(path, baseUrl), { headers: { origin: PAGE } });
    expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null]);
  }
});
