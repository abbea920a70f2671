/** Tickets and emails have the same rules; only their parents, their fields and the reply's persona differ. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Change, Page, Thread } from '../e2e/resources.ts';
import { expectData, expectDone, expectRefused, pageOf, TIME, UUID } from './check.ts';
import { filtersByDate, filtersByStatus } from './filters.ts';
import { a, keyWith, storesNothing } from './given.ts';
import { unique } from './operations.ts';
import { conversationAt, newParent, type Opened, type ThreadKind } from './thread-kinds.ts';

const { api } = a;

const STATUSES = ['open', 'assigned', 'need_more_info', 'resolved', 'closed'];
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

export function threadTests(kind: ThreadKind): void {
  const listed = {
    id: UUID,
    status: 'open',
    priority: 'medium',
    ai: 'pending',
    created_at: TIME,
    updated_at: TIME,
    ...kind.otherFields,
  };

  test('has the right fields when listed, and its conversation when read, under each id of its parent', async () => {
    const { parent, list, open } = await newParent(kind);
    const message = ' <b>Tea?</b>\n\t$where {{x}} 🙂 ';
    const [id = ''] = await open([{ email: 'Ada@Example.com', name: 'Ada', message }]);
    for (const parentId of [parent.id, parent.id.toUpperCase(), parent[kind.other] as string]) {
      const at = `${kind.parent}/${parentId}/${kind.threads}`;
      expectData(await api.get(at), { items: [{ ...listed, id }], total: 1, has_more: false });
      for (const childId of [id, id.toUpperCase()])
        expectData(await api.get(`${at}/${childId}`), { ...listed, id, conversation: [{ role: 'user', message }] });
    }
    expect(list).toContain(parent.id);
  });

  test('of another parent is a 404', async () => {
    const { list } = await newParent(kind);
    for (const path of ['', '/history', '/evidence']) expectRefused(await api.get(`${list}/${kind.id}${path}`), 404);
    for (const method of ['PUT', 'DELETE']) expectRefused(await api.request(method, `${list}/${kind.id}/block`), 404);
    expectRefused(await api.put(`${list}/${kind.id}`, { status: 'open' }), 404);
    expectRefused(await api.post(`${list}/${kind.id}/reply`, { message: 'Hi.' }), 404);
  });

  describe('is listed', () => {
    let list = '';
    beforeAll(async () => {
      const own = await newParent(kind);
      list = own.list;
      const made = await own.open(Array.from({ length: 6 }, () => ({})));
      for (const [i, status] of ['assigned', 'closed', 'closed'].entries())
        must(await api.put(`${list}/${made[i]}`, { status }));
    });
    filtersByDate(() => list);
    filtersByStatus(() => list);
  });

  describe('is updated', () => updateTests(kind));
  describe('is answered', () => replyTests(kind));
}

function updateTests(kind: ThreadKind): void {
  let own: Opened;
  beforeAll(async () => {
    own = await newParent(kind);
  });
  const history = async (at: string) => pageOf(await api.get<Page<Change>>(`${at}/history`));

  test('in status and priority, with an entry in its history for each change', async () => {
    const [id] = await own.open([{}]);
    const at = `${own.list}/${id}`;
    expect(await history(at)).toEqual({ items: [], total: 0, has_more: false });
    const me = must(await api.get<{ key: { id: string } }>('/me')).key.id;
    expectDone(await api.put(at, { status: 'assigned' }));
    expectDone(await api.put(at, { priority: 'high' }));
    expectDone(await api.put(at, { status: 'closed', priority: 'low' }));
    expect(must(await api.get(at))).toMatchObject({ status: 'closed', priority: 'low' });
    const entry = (field: string, from: string, to: string) => ({ at: TIME, by: me, field, from, to });
    const { items, total } = await history(at);
    expect(total).toBe(4);
    // Newest first, as every list; the last request made two changes at once.
    expect(items.slice(2)).toEqual([entry('priority', 'medium', 'high'), entry('status', 'open', 'assigned')]);
    expect(items.slice(0, 2)).toEqual(
      expect.arrayContaining([entry('status', 'assigned', 'closed'), entry('priority', 'high', 'low')]),
    );
  });

  test('by the same value without an entry', async () => {
    const [id] = await own.open([{}]);
    const at = `${own.list}/${id}`;
    expectDone(await api.put(at, { status: 'open', priority: 'medium' }));
    expectDone(await api.put(at, { status: 'open' }));
    expect((await history(at)).total).toBe(0);
  });

  test.each(STATUSES)('from every status to %s', async (to) => {
    const [id] = await own.open([{}]);
    const at = `${own.list}/${id}`;
    for (const from of STATUSES) {
      expectDone(await api.put(at, { status: from }));
      expectDone(await api.put(at, { status: to }));
      const read = must(await api.get<Thread>(at));
      expect(read.status).toBe(to);
      expect(read.updated_at >= read.created_at).toBe(true);
    }
  });

  test.each(PRIORITIES)('to the priority %s', async (priority) => {
    const [id] = await own.open([{}]);
    expectDone(await api.put(`${own.list}/${id}`, { priority }));
    expect(must(await api.get<Thread>(`${own.list}/${id}`)).priority).toBe(priority);
    const { items } = must(await api.get<Page<Thread>>(own.list));
    expect(items[0]).toMatchObject({ id, priority, status: 'open' });
  });

  test('with a page of its history, and no cursor of another', async () => {
    const [id, other] = await own.open([{}, {}]);
    for (const each of [id, other])
      for (const status of STATUSES.slice(1)) must(await api.put(`${own.list}/${each}`, { status }));
    const at = `${own.list}/${id}/history`;
    const all = pageOf(await api.get<Page<Change>>(at)).items;
    const first = pageOf(await api.get<Page<Change>>(`${at}?limit=3`));
    expect(first).toMatchObject({ total: 4, has_more: true });
    const second = pageOf(await api.get<Page<Change>>(`${at}?next_cursor=${first.next_cursor}`));
    expect([...first.items, ...second.items]).toEqual(all);
    expectRefused(await api.get(`${own.list}/${other}/history?next_cursor=${first.next_cursor}`), 400, 'next_cursor');
    for (const limit of ['0', '101', '5.5', '']) expectRefused(await api.get(`${at}?limit=${limit}`), 400, 'limit');
  });

  const at = `${kind.parent}/${kind.parentId}/${kind.threads}/${kind.id}`;
  storesNothing([at, `${at}/history`], () => {
    test.each<[string, Record<string, unknown>, string]>([
      ['neither field', {}, 'status'],
      ['an unknown status', { status: 'done' }, 'status'],
      ['a status in upper case', { status: 'OPEN' }, 'status'],
      ['a status with spaces', { status: ' open ' }, 'status'],
      ['an empty status', { status: '' }, 'status'],
      ['several statuses', { status: 'open,closed' }, 'status'],
      ['a null status alone', { status: null }, 'status'],
      ['a status of the wrong type', { status: 7 }, 'status'],
      ['a list of statuses', { status: ['open'] }, 'status'],
      ['an unknown priority', { priority: 'asap' }, 'priority'],
      ['a priority in upper case', { priority: 'HIGH' }, 'priority'],
      ['an empty priority', { priority: '' }, 'priority'],
      ['a priority of the wrong type', { priority: 1 }, 'priority'],
      ['an invalid priority beside a valid status', { status: 'closed', priority: 'asap' }, 'priority'],
      ['an invalid status beside a valid priority', { status: 'done', priority: 'high' }, 'status'],
      ['an extra field', { status: 'closed', note: 'x' }, 'note'],
      ['an extra field alone', { subject: 'x' }, 'subject'],
      ['an extra field of the resource', { status: 'closed', id: randomUUID() }, 'id'],
    ])('with %s is a 400', async (_, body, word) => {
      expectRefused(await api.put(at, body), 400, word);
    });
  });

  test('with a key that has only the scope for it', async () => {
    const [id] = await own.open([{}]);
    const only = api.as(`Bearer ${await keyWith(kind.write)}`);
    expectDone(await only.put(`${own.list}/${id}`, { status: 'closed' }));
    expectDone(await only.post(`${own.list}/${id}/reply`, { message: 'Hi.' }));
  });
}

function replyTests(kind: ThreadKind): void {
  test('by the owner, without data in the answer', async () => {
    const { list, open } = await newParent(kind);
    const [id] = await open([{ message: 'Question?' }]);
    const at = `${list}/${id}`;
    const messages = ['First.', ' <b>second</b>\n\n$x 🙂 '];
    for (const message of messages) expectDone(await api.post(`${at}/reply`, { message }));
    expect(await conversationAt(at)).toEqual([
      { role: 'user', message: 'Question?' },
      ...messages.map((message) => ({ role: 'assistant', message })),
    ]);
  });

  test('with any status', async () => {
    const { list, open } = await newParent(kind);
    const [id] = await open([{}]);
    for (const status of STATUSES) {
      must(await api.put(`${list}/${id}`, { status }));
      expectDone(await api.post(`${list}/${id}/reply`, { message: status }));
    }
    expect((await conversationAt(`${list}/${id}`))!.length).toBe(1 + STATUSES.length);
  });

  const at = `${kind.parent}/${kind.parentId}/${kind.threads}/${kind.id}`;
  storesNothing([at], () => {
    test.each([undefined, null, '', '  \n', 7, {}, ['x']])('but not with the message %j', async (message) => {
      expectRefused(await api.post(`${at}/reply`, { message }), 400, 'message');
    });
  });
}

/** A block holds for an address and a parent. */
export function blockTests(kind: ThreadKind): void {
  test('keeps its address out of that parent, until the block is lifted', async () => {
    const [own, elsewhere] = [await newParent(kind), await newParent(kind)];
    const email = `${unique()}@example.com`;
    const [id = '', again = ''] = await own.open([{ email }, { email }]);
    const at = `${own.list}/${id}`;
    const result = (target: string, status: string) => ({
      items: [{ target, targetType: kind.target, status }],
      failed: [],
    });
    expectData(await api.del(`${at}/block`), result(id, 'LIFTED'));
    for (let i = 0; i < 2; i++) expectData(await api.put(`${at}/block`), result(id, 'ACTIVE'));

    await expect(own.open([{ email }])).rejects.toThrow(/block/i);
    await expect(own.open([{ email: email.toUpperCase() }])).rejects.toThrow(/block/i);
    expect(must(await api.get<Page<Thread>>(own.list)).total).toBe(2);
    await elsewhere.open([{ email }]);
    await own.open([{ email: `other-${email}` }]);

    // What the owner writes is stored all the same.
    expectDone(await api.post(`${at}/reply`, { message: 'Stored.' }));
    expect((await conversationAt(at))!.at(-1)).toEqual({ role: 'assistant', message: 'Stored.' });
    expectDone(await api.put(at, { status: 'closed' }));

    // The block is the address's: it may be lifted at each of its threads.
    for (let i = 0; i < 2; i++) expectData(await api.del(`${own.list}/${again}/block`), result(again, 'LIFTED'));
    await own.open([{ email }]);
    expect(must(await api.get<Page<Thread>>(own.list)).total).toBe(4);
    expect(kind.id).not.toBe(id);
  });

  test('is named by upper-case ids too', async () => {
    const { list, open } = await newParent(kind);
    const [id = ''] = await open([{ email: `${unique()}@example.com` }]);
    const { items } = must(await api.put<{ items: { target: string }[] }>(`${list}/${id.toUpperCase()}/block`));
    expect(items[0]!.target).toBe(id);
  });
}
