import { describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';
import { expectData, expectRefused, pageOf, TIME, UUID } from './check.ts';
import { a, mine, storesNothing, theirs } from './given.ts';
import { HOOK } from './operations.ts';

const { api } = a;
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);

interface Webhook {
  id: string;
  url: string;
  secret?: string;
}

interface Delivery {
  id: string;
  event_id: string;
}

const create = (body: object = {}) => api.post<Webhook>('/webhooks', { ...HOOK, enabled: false, ...body });
const webhook = { id: UUID, ...HOOK, enabled: true, created_at: TIME, disabled_because: null };
const disabled = { enabled: false, disabled_because: expect.any(String) };

describe('a webhook', () => {
  test('has the right fields when created, listed, changed and deleted; its secret is shown only once', async () => {
    const made = expectData(await create({ enabled: true }), { ...webhook, secret: SECRET });
    const { secret: _, ...shown } = made;
    expect(pageOf(await api.get<Page<Webhook>>('/webhooks')).items[0]).toEqual(shown);
    const path = `/webhook/${made.id.toUpperCase()}`;
    const changed = { ...shown, ...disabled, events: ['*'] };
    expectData(await api.request('PATCH', path, { body: { enabled: false, events: ['*', 'mail.failed'] } }), changed);
    expectData(await api.request('PATCH', path, { body: {} }), changed);
    const renewed = expectData<Webhook>(await api.post(`${path}/secret`), { ...changed, secret: SECRET });
    expect(renewed.secret).not.toBe(made.secret);
    expectData(await api.del(path), changed);
    expectRefused(await api.del(path), 404);
  });

  test('is tested at once, and its deliveries say what became of it, and no more', async () => {
    const { id } = must(await create());
    const delivery = {
      ...{ id: UUID, event_id: UUID, type: 'webhook.test', state: 'failed', attempts: 1, status: null },
      ...{ milliseconds: expect.any(Number), reason: expect.any(String), created_at: TIME, attempted_at: TIME },
      next_attempt_at: null,
    };
    const tested = expectData<{ id: string }>(await api.post(`/webhook/${id}/test`), delivery);
    const list = `/webhook/${id}/deliveries`;
    expect(pageOf(await api.get<Page<Delivery>>(list)).items).toEqual([tested]);
    expect(pageOf(await api.get<Page<Delivery>>(`${list}?state=delivered`)).items).toEqual([]);
    expectRefused(await api.get(`${list}?state=lost`), 400, 'state');
    expectRefused(await api.post(`${list}/${tested.id}/redeliver`), 400);
    must(await api.del(`/webhook/${id}`));
  });

  test('is told of what happens, and what it was told of can be delivered again', async () => {
    const { id } = must(await create({ enabled: true, events: ['knowledge.created'] }));
    const { id: faq } = must(await api.post<{ id: string }>('/knowledge/faq', { title: 'T' }));
    const list = async () => must(await api.get<Page<Delivery>>(`/webhook/${id}/deliveries`)).items;
    const [delivery] = await until(list, ({ length }) => length > 0);
    const again = must(await api.post<Delivery>(`/webhook/${id}/deliveries/${delivery!.id}/redeliver`));
    expect(again).toMatchObject({ ...{ id: delivery!.id, event_id: delivery!.event_id }, type: 'knowledge.created' });
    must(await api.del(`/webhook/${id}`));
    must(await api.del(`/knowledge/${faq}`));
  });

  test('delivers again only while it is enabled', async () => {
    const { id } = must(await create());
    const again = (since: unknown = new Date().toISOString()) =>
      api.post<Webhook>(`/webhook/${id}/redeliver`, { since });
    for (const since of [null, '', 'then', '2026-02-30', 7]) expectRefused(await again(since), 400, 'since');
    expectRefused(await again(), 400, 'disabled');
    must(await api.request('PATCH', `/webhook/${id}`, { body: { enabled: true } }));
    expect(must(await again()).id).toBe(id);
    must(await api.del(`/webhook/${id}`));
  });

  storesNothing(['/webhooks'], () => {
    test.each([
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://[fd00::1]/',
      'https://a:b@example.com/',
      'ftp://a/',
    ])('cannot have the address %s', async (url) => {
      expectRefused(await create({ url }), 400, 'url');
    });

    test('of another account is neither listed nor deleted', async () => {
      expect((await api.all<Webhook>('/webhooks')).map(({ id }) => id)).not.toContain(theirs.ids.webhook);
      expectRefused(await api.del(`/webhook/${theirs.ids.webhook}`), 403);
      expect((await api.all<Webhook>('/webhooks')).map(({ id }) => id)).toContain(mine.ids.webhook);
    });
  });
});
