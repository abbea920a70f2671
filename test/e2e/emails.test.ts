import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { must } from './api.ts';
import type { Blocked, Change, EmailInbox, Page, Thread } from './resources.ts';
import { shared } from './shared.ts';

const { a, open } = await shared();

const { api } = a;

/** A new inbox, and how end users write to it. */
async function inbox() {
  const body = { alias: `help-${randomUUID().slice(0, 8)}`, title: 'Help' };
  const inbox = must(await api.post<EmailInbox>('/email-inboxes', body));
  const email = (from = 'ann@example.org', subject = 'Late parcel') =>
    open({ account: a, kind: 'email', assistant: inbox, email: from, subject, message: 'Where is it?' });
  return { inbox, at: `/email-inbox/${inbox.alias}/emails`, email };
}

test('an email has its subject and sender, in the list and by itself, by id and alias of the inbox', async () => {
  const { inbox: made, at, email } = await inbox();
  const id = await email('ann@example.org', 'Late 📦');
  const listed = must(await api.get<Page<Thread>>(at));
  expect(listed).toMatchObject({ total: 1, has_more: false });
  expect(listed.items[0]).toEqual({
    id,
    subject: 'Late 📦',
    from_email: 'ann@example.org',
    status: 'open',
    priority: 'medium',
    ai: 'pending',
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  });
  const path = `/email-inbox/${made.id.toUpperCase()}/emails/${id.toUpperCase()}`;
  expect(must(await api.get<Thread>(path))).toEqual({
    ...listed.items[0],
    conversation: [{ role: 'user', message: 'Where is it?' }],
  });
});

test('emails are filtered, updated, answered and looked up in their own inbox only', async () => {
  const [here, elsewhere] = [await inbox(), await inbox()];
  const [first, second] = [await here.email(), await here.email()];
  expect((await api.put(`${here.at}/${first}`, { status: 'closed', priority: 'low' })).body).toEqual({ success: true });
  const reply = { message: 'It arrives tomorrow.', persona_id: 'ignored' };
  expect((await api.post(`${here.at}/${first}/reply`, reply)).body).toEqual({ success: true });
  expect(must(await api.get<Thread>(`${here.at}/${first}`))).toMatchObject({
    status: 'closed',
    priority: 'low',
    conversation: [{ role: 'user' }, { role: 'assistant', message: 'It arrives tomorrow.' }],
  });
  const open = must(await api.get<Page<Thread>>(`${here.at}?status=open,assigned`));
  expect(open).toMatchObject({ total: 1, items: [{ id: second }] });
  const changes = must(await api.get<Page<Change>>(`${here.at}/${first}/history`)).items;
  expect(changes.map(({ field, from, to }) => `${field} ${from} ${to}`).sort()).toEqual([
    'priority medium low',
    'status open closed',
  ]);
  for (const path of ['', '/history', '/evidence'])
    expect((await api.get(`${elsewhere.at}/${first}${path}`)).status).toBe(404);
  expect((await api.put(`${elsewhere.at}/${first}`, { status: 'open' })).status).toBe(404);
});

test('a blocked address opens no further email in this inbox until the block is lifted', async () => {
  const { at, email } = await inbox();
  const id = await email('eve@example.org');
  const result = (status: string) => ({ items: [{ target: id, targetType: 'EMAIL', status }], failed: [] });
  expect(must(await api.put<Blocked>(`${at}/${id}/block`))).toEqual(result('ACTIVE'));
  await expect(email('eve@example.org')).rejects.toThrow(/blocked/);
  expect(must(await api.get<Page<Thread>>(at)).total).toBe(1);
  expect(must(await api.del<Blocked>(`${at}/${id}/block`))).toEqual(result('LIFTED'));
  await email('eve@example.org');
  expect(must(await api.get<Page<Thread>>(at)).total).toBe(2);
});
