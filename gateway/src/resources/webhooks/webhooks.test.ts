import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveId } from '@parley/runtime/rpc';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const AT = '2026-01-02T03:04:05.678Z';
const url = 'https://www.example.com/parley';
const create = async (body: object = {}) =>
  (await w.post('/webhooks', { url, events: ['chat.begun'], ...body })).body.data;

test('a webhook is created, listed, changed and deleted; only its creation and its renewal show a secret', async () => {
  const { secret, ...made } = await create();
  expect(secret).toMatch(/^whsec_/);
  expect(made).toEqual({
    ...{ id: made.id, url, events: ['chat.begun'], enabled: true, created_at: AT, disabled_because: null },
  });
  expect((await w.get('/webhooks')).body.data.items[0]).toEqual(made);
  const changed = await w.call('PATCH', `/v1/webhook/${made.id}`, { json: { enabled: false, events: ['*'] } });
  const disabled = { ...made, enabled: false, events: ['*'], disabled_because: 'The account disabled it.' };
  expect(changed.body.data).toEqual(disabled);
  const renewed = (await w.post(`/webhook/${made.id}/secret`, {})).body.data;
  expect(renewed).toEqual({ ...disabled, secret: expect.stringMatching(/^whsec_/) });
  expect((await w.delete(`/webhook/${made.id}`)).body).toEqual({ success: true, data: disabled });
  expect((await w.get(`/webhook/${made.id}/deliveries`)).status).toBe(404);
});

test('deliveries are listed by state, and made again one by one or from a time on', async () => {
  const { id } = await create();
  const delivered = {
    ...{ id, event_id: deriveId(id), type: 'chat.begun', state: 'delivered', attempts: 1, status: 204 },
    ...{ milliseconds: 12, reason: null, created_at: AT, attempted_at: AT, next_attempt_at: null },
  };
  expect((await w.get(`/webhook/${id}/deliveries`)).body.data).toEqual({
    ...{ items: [delivered], total: 1, has_more: false },
  });
  expect((await w.get(`/webhook/${id}/deliveries?state=failed`)).body.data.items).toEqual([]);
  expect((await w.get(`/webhook/${id}/deliveries?state=lost`)).status).toBe(400);
  const again = await w.post(`/webhook/${id}/deliveries/${id}/redeliver`, {});
  expect(again.body.data).toEqual({ ...delivered, attempts: 2 });
  expect((await w.post(`/webhook/${id}/test`, {})).body.data).toMatchObject({ type: 'webhook.test', status: 204 });
  expect((await w.post(`/webhook/${id}/redeliver`, { since: '2026-01-01' })).body.data.id).toBe(id);
  expect((await w.post(`/webhook/${id}/redeliver`, { since: 'then' })).status).toBe(400);
});

test.each([
  ['url', { url: 'ftp://example.com/' }],
  ['url', { url: 'http://127.0.0.1/' }],
  ['events', { events: [] }],
  ['events', { events: ['chat.started'] }],
  ['events', { events: 'chat.begun' }],
  ['enabled', { enabled: 'yes' }],
])('a wrong %s is refused by name: %j', async (field, body) => {
  const refused = await w.post('/webhooks', { url, events: ['chat.begun'], ...body });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain(field);
});
