import { afterAll, expect, jest, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { shapeOf } from '../conformance/operations.ts';
import { type Answer, keyed, must } from '../e2e/api.ts';
import type { ApiKey } from '../e2e/resources.ts';
import { prepared } from '../e2e/world.ts';
import { corpusOf, filesOf, type KilledGateway, killedGateway, send, unfinished, uploadUrl } from './killed-gateway.ts';
import { DELIVERING, POSTS } from './posts.ts';
import { settled } from './stored.ts';

// Processes start slowly on a busy machine.
jest.setTimeout(180_000);

const w = await prepared<KilledGateway>(killedGateway);
afterAll(w.stop);
const { a, posts, uploads, effects, successor, mongo, parley } = w;
const other = w.baseUrl;

test('every POST of the API is among those that are tried, but for those that deliver to webhooks', async () => {
  const { paths } = (await (await fetch(`${other}/openapi.json`)).json()) as { paths: Record<string, object> };
  const described = Object.keys(paths).filter((path) => 'post' in paths[path]!);
  const tried = [...POSTS.map(({ path }) => path), ...DELIVERING].map(shapeOf);
  expect(new Set(tried)).toEqual(new Set(described.map((path) => shapeOf(path).replace(/^\/v1(?=\/)/, ''))));
});

test('repeated after the death of its gateway, at its successor or at another one, no POST does anything twice', async () => {
  const all = posts.flat();
  const repeat = (...[first, second]: [string, string]) =>
    Promise.all([...posts[0].map((post) => send(w, first, post)), ...posts[1].map((post) => send(w, second, post))]);
  const summary = ({ status, headers }: Answer<unknown>, i: number) => ({
    path: all[i]!.path,
    status,
    replayed: headers.get('idempotent-replayed'),
  });

  /** An upload's address is signed again by the gateway that answers. */
  const lasting = ({ body }: Answer<object>) => ({ ...body, data: { ...body.data, upload_url: undefined } });

  const repeated = await repeat(successor.baseUrl, other);
  expect(repeated.map(summary)).toEqual(all.map(({ path }) => ({ path, status: 200, replayed: null })));
  const replayed = await repeat(other, successor.baseUrl);
  expect(replayed.map(summary)).toEqual(all.map(({ path }) => ({ path, status: 200, replayed: 'true' })));
  expect(replayed.map(lasting)).toEqual(repeated.map(lasting));

  const stored = Object.values(effects).flat();
  const answered = repeated.flatMap(({ body: { data } }) => [data?.id ?? [], data?.message ?? []].flat());
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  expect(answered.filter((text) => !stored.some((document) => document.includes(quoted(text))))).toEqual([]);
  expect(await settled(mongo)).toEqual(effects);
});

test('an API key whose secret was lost is created once, and its repeated request answers with a secret that works', async () => {
  for (const requests of posts) {
    const create = requests.find(({ path }) => path === '/api-keys')!;
    const { id, key } = must(await send(w, other, create));
    for (const gateway of [other, successor.baseUrl])
      expect(must(await keyed(gateway, key!).get('/me'))).toMatchObject({ key: { id } });
  }
  // The account's first key, too.
  expect((await a.api.all<ApiKey>('/api-keys')).length).toBe(1 + posts.length);
});

test('an upload that its gateway did not finish is repeated at another one; each file is stored once, and nothing else', async () => {
  const repeated = [
    [uploads.begun, other],
    [uploads.stored, successor.baseUrl],
    [uploads.completed, other],
  ] as const;
  for (const [document, gateway] of repeated) {
    const answer = await fetch(uploadUrl(gateway, document), { method: 'PUT', body: 'Tea is served at four.' });
    expect(answer.status).toBe(200);
    must(await a.api.post(`/knowledge/${document.id}/finalize`));
  }
  // As if the twenty minutes had passed in which an upload may still complete.
  const past = { $subtract: ['$$NOW', 1] };
  await corpusOf(w).updateMany({ _id: { $in: repeated.map(([{ id }]) => id) } }, [
    { $set: { 'strays.due': past, files_due: past } },
  ]);
  // So that the sweeper begins its next round at once.
  await parley.services.knowledge.stop();
  await parley.services.knowledge.start();
  for (const [document] of repeated)
    await until(
      () => filesOf(w, document),
      ({ length }) => length === 1,
    );
  expect(await unfinished(w)).toEqual([]);
});
