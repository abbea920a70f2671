import { expect, test } from '@jest/globals';
import { must } from './api.ts';
import type { Blocked, Change, Evidence, Page, Persona, Thread, TicketForm } from './resources.ts';
import { shared } from './shared.ts';

const { a, b, open, mongo } = await shared();

const { api } = a;

/** A new form, and how end users open tickets in it. */
async function form() {
  const form = must(await api.post<TicketForm>('/ticket-forms', { title: 'Contact' }));
  const ticket = (email = 'ann@example.org', message = 'My parcel is late.') =>
    open({ account: a, kind: 'ticket', assistant: form, email, message });
  return { form, at: `/ticket-form/${form.public_id}/tickets`, ticket };
}

const totalAt = async (path: string) => must(await api.get<Page<Thread>>(path)).total;

test('tickets are listed newest first, filtered by status and dates, page by page', async () => {
  const { at, ticket } = await form();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await ticket());
  expect((await api.all<Thread>(at, 2)).map(({ id }) => id)).toEqual(ids);
  const [newest, second, , , oldest] = ids;
  must(await api.put(`${at}/${newest}`, { status: 'closed' }));
  must(await api.put(`${at}/${oldest}`, { status: 'need_more_info' }));

  const listed = async (query: string) => must(await api.get<Page<Thread>>(`${at}?${query}`));
  const changed = await listed('status=need_more_info, CLOSED');
  expect(changed).toMatchObject({ total: 2, items: [{ id: newest, status: 'closed' }, { id: oldest }] });
  const first = await listed('status=open&limit=2');
  expect(first).toMatchObject({ total: 3, has_more: true, items: [{ id: second }, { status: 'open' }] });
  const rest = await listed(`status=open&next_cursor=${first.next_cursor}`);
  expect(rest).toMatchObject({ total: 3, has_more: false, items: [{ id: ids[3] }] });
  expect((await api.get(`${at}?next_cursor=${first.next_cursor}`)).status).toBe(400);

  const { created_at } = must(await api.get<Thread>(`${at}/${ids[2]}`));
  expect((await listed(`created_after=${created_at}`)).items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await listed(`created_before=${created_at}&status=open`)).items.map(({ id }) => id)).toEqual([ids[3]]);
});

test('an update changes status and priority, and each change stands in the history', async () => {
  const { at, ticket } = await form();
  const id = await ticket();
  const before = must(await api.get<Thread>(`${at}/${id}`));
  expect(before).toMatchObject({ status: 'open', priority: 'medium' });
  expect((await api.put(`${at}/${id}`, { status: 'assigned' })).body).toEqual({ success: true });
  must(await api.put(`${at}/${id}`, { status: 'assigned', priority: 'urgent' }));
  must(await api.put(`${at}/${id}`, { status: 'resolved' }));
  const after = must(await api.get<Thread>(`${at}/${id}`));
  expect(after).toMatchObject({ status: 'resolved', priority: 'urgent', created_at: before.created_at });
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));

  const { key } = must(await api.get<{ key: { id: string } }>('/me'));
  const changes = await api.all<Change>(`${at}/${id}/history`, 2);
  expect(changes).toHaveLength(3);
  expect(changes).toEqual(
    expect.arrayContaining(
      [
        { field: 'status', from: 'open', to: 'assigned' },
        { field: 'priority', from: 'medium', to: 'urgent' },
        { field: 'status', from: 'assigned', to: 'resolved' },
      ].map((change) => ({ ...change, by: key.id, at: expect.stringMatching(/Z$/) })),
    ),
  );
});

test('a refused update or reply has stored nothing', async () => {
  const { at, ticket } = await form();
  const id = await ticket();
  const persona_id = must(await b.api.post<Persona>('/personas', { name: 'Not ours' })).id;
  const db = mongo.db('parley_conversations');
  // What is left of its outbox depends on the relay.
  const projection = { n: 1, seq: 1, status: 1, priority: 1, last: 1, updated_at: 1 };
  const stored = async () => [
    await db.collection<{ _id: string }>('threads').findOne({ _id: id }, { projection }),
    await db.collection('entries').countDocuments({ thread: id }),
  ];
  const before = await stored();
  expect(before[0]).toMatchObject({ status: 'open' });
  for (const body of [
    {},
    { status: 'done' },
    { priority: null },
    { status: 'closed', title: 'x' },
    { status: 'closed', priority: 'x' },
  ])
    expect((await api.put(`${at}/${id}`, body)).status).toBe(400);
  for (const body of [{}, { message: ' ' }, { message: 'Hi.', persona_id }, { message: 'Hi.', persona_id: 'joy' }])
    expect((await api.post(`${at}/${id}/reply`, body)).status).toBe(400);
  expect((await b.api.put(`${at}/${id}`, { status: 'closed' })).status).toBe(403);
  expect((await b.api.post(`${at}/${id}/reply`, { message: 'Hi.' })).status).toBe(403);
  expect(await stored()).toEqual(before);
});

test('the owner replies, as themselves or as a persona, once for each Idempotency-Key', async () => {
  const { at, ticket } = await form();
  const id = await ticket();
  const persona = must(await api.post<Persona>('/personas', { name: 'Nurse Joy' }));
  const reply = { message: 'It arrives tomorrow.', persona_id: persona.id };
  for (let i = 0; i < 2; i++)
    expect((await api.post(`${at}/${id}/reply`, reply, { 'idempotency-key': `reply to ${id}` })).body).toEqual({
      success: true,
    });
  must(await api.post(`${at}/${id}/reply`, { message: 'Or the day after.' }));
  expect(must(await api.get<Thread>(`${at}/${id}`)).conversation).toMatchObject([
    { role: 'user', message: 'My parcel is late.' },
    { role: 'assistant', message: 'It arrives tomorrow.' },
    { role: 'assistant', message: 'Or the day after.' },
  ]);
  must(await api.del(`/persona/${persona.id}`));
  expect((await api.post(`${at}/${id}/reply`, reply)).body.message).toContain('persona_id');
});

test('a blocked address opens no further ticket in this form until the block is lifted', async () => {
  const [here, elsewhere] = [await form(), await form()];
  const id = await here.ticket('eve@example.org');
  const block = `${here.at}/${id}/block`;
  const result = (status: string) => ({ items: [{ target: id, targetType: 'TICKET', status }], failed: [] });
  for (let i = 0; i < 2; i++) expect(must(await api.put<Blocked>(block))).toEqual(result('ACTIVE'));
  await expect(here.ticket('Eve@Example.org')).rejects.toThrow(/blocked/);
  expect(await totalAt(here.at)).toBe(1);
  await elsewhere.ticket('eve@example.org');
  await here.ticket('ann@example.org');
  must(await api.post(`${here.at}/${id}/reply`, { message: 'Goodbye.' }));
  for (let i = 0; i < 2; i++) expect(must(await api.del<Blocked>(block))).toEqual(result('LIFTED'));
  await here.ticket('eve@example.org');
  expect(await totalAt(here.at)).toBe(3);
});

test('a ticket that no AI has answered has no evidence', async () => {
  const { at, ticket } = await form();
  const evidence = must(await api.get<Page<Evidence>>(`${at}/${await ticket()}/evidence`));
  expect(evidence).toEqual({ items: [], total: 0, has_more: false });
});
