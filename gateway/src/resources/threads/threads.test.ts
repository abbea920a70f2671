import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { ThreadKind, ThreadStatus } from '@parley/proto/conversations/v1/conversations_service_pb';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const AT = '2026-01-02T03:04:05.678Z';
const UNKNOWN = randomId();
const STATUSES = 'open, assigned, need_more_info, resolved, closed';

/** The two kinds of assistant whose threads have a status. */
const KINDS = [
  {
    segment: 'tickets',
    kind: ThreadKind.TICKET,
    param: 'ticket_id',
    targetType: 'TICKET',
    scopes: { write: Scope.TICKETS_WRITE, block: Scope.TICKETFORMS_WRITE },
    async assistant(key = w.account.key) {
      const { id, public_id } = (await w.post('/ticket-forms', { title: 'Help' }, { key })).body.data;
      return { id, path: `/ticket-form/${public_id}` };
    },
    own: {},
  },
  {
    segment: 'emails',
    kind: ThreadKind.EMAIL,
    param: 'email_id',
    targetType: 'EMAIL',
    scopes: { write: Scope.EMAILS_WRITE, block: Scope.EMAILINBOXES_WRITE },
    async assistant(key = w.account.key) {
      const body = { alias: `inbox-${randomId()}`, title: 'Help' };
      const { id, alias } = (await w.post('/email-inboxes', body, { key })).body.data;
      return { id, path: `/email-inbox/${alias}` };
    },
    own: { subject: 'Late parcel', from_email: 'ann@example.org' },
  },
];

const nameOf = (scope: Scope) => Object.entries(Scope).find(([, value]) => value === scope)![0];

describe.each(KINDS)('$segment', ({ segment, kind, param, targetType, scopes, assistant, own }) => {
  let parent: Awaited<ReturnType<typeof assistant>>;
  let list: string;
  let id: string;
  let path: string;
  const opened = (more: { status?: ThreadStatus; assistantId?: string; account?: string } = {}) =>
    w.conversations.state.open({
      account: w.account.id,
      kind,
      assistantId: parent.id,
      fromEmail: 'ann@example.org',
      subject: 'Late parcel',
      ...more,
    });

  beforeEach(async () => {
    parent = await assistant();
    list = `${parent.path}/${segment}`;
    id = opened();
    path = `${list}/${id}`;
  });

  const listed = () => ({ id, ...own, status: 'open', priority: 'medium', ai: 'off', created_at: AT, updated_at: AT });

  test('are listed newest first, by the public and the internal id of their parent', async () => {
    const newer = opened();
    const page = { items: [{ ...listed(), id: newer }, listed()], total: 2, has_more: false };
    expect((await w.get(list)).body).toEqual({ success: true, data: page });
    const internal = list.replace(parent.path.split('/')[2]!, parent.id.toUpperCase());
    expect((await w.get(internal)).body.data).toEqual(page);
  });

  test('are read with their conversation', async () => {
    expect((await w.get(path.replace(id, id.toUpperCase()))).body).toEqual({
      success: true,
      data: { ...listed(), conversation: [{ role: 'user', message: 'Help!' }] },
    });
  });

  test('are filtered by status and dates', async () => {
    const closed = opened({ status: ThreadStatus.CLOSED });
    const dates = 'created_after=2026-01-01&created_before=2026-02-01';
    const page = (await w.get(`${list}?status= CLOSED,need_more_info&${dates}`)).body.data;
    expect(page).toMatchObject({ items: [{ id: closed, status: 'closed' }], total: 1 });
    expect(w.conversations.state.lastFilter).toEqual({
      after: BigInt(Date.parse('2026-01-01') / 1000),
      before: BigInt(Date.parse('2026-02-01') / 1000),
      statuses: [ThreadStatus.NEED_MORE_INFO, ThreadStatus.CLOSED],
    });
    expect((await w.get(`${list}?status=open&status=closed`)).body.data.total).toBe(2);
    expect((await w.get(`${list}?status=resolved`)).body.data).toEqual({ items: [], total: 0, has_more: false });
    await w.get(list);
    expect(w.conversations.state.lastFilter.statuses).toEqual([]);
  });

  test('a cursor is valid for the same list and filter only, however the statuses are written', async () => {
    for (let i = 0; i < 2; i++) opened();
    const cursorOf = async (query: string) => (await w.get(`${list}?limit=1${query}`)).body.data.next_cursor;
    const cursor = await cursorOf('&status=open,closed');
    const follow = async (query: string, at = list) => (await w.get(`${at}?next_cursor=${cursor}${query}`)).status;
    for (const same of ['&status=open,closed', '&status=Closed, open,closed', '&status=closed&status=OPEN&limit=2'])
      expect([same, await follow(same)]).toEqual([same, 200]);
    for (const other of ['', '&status=open', '&status=open,closed,resolved', '&status=open,closed&created_after=2020'])
      expect([other, await follow(other)]).toEqual([other, 400]);
    expect(await follow('&status=open,closed', `${(await assistant()).path}/${segment}`)).toBe(400);
    expect(await follow('&status=open,closed', `${path}/history`)).toBe(400);
  });

  test.each([
    '',
    ' ',
    ',',
    'open,',
    ',open',
    'open,,closed',
    'open, ,closed',
    'opened',
    'open;closed',
    'need more info',
    'need-more-info',
    'constructor',
    'open&status=',
    'open&status=done',
    'unspecified',
  ])('no statuses: %j', async (query) => {
    expect(await w.get(`${list}?status=${query}`)).toMatchObject({
      status: 400,
      body: { message: `status must be one or more of ${STATUSES}, separated by commas.` },
    });
  });

  test('a list of statuses has at most 1,000 characters', async () => {
    expect((await w.get(`${list}?status=${'open,'.repeat(199)}open`)).status).toBe(200);
    expect(await w.get(`${list}?status=${'open,'.repeat(200)}open`)).toMatchObject({
      status: 400,
      body: { message: 'status must have at most 1,000 characters.' },
    });
  });

  test('an update sets status, priority or both, answers only success, and is listed in the history', async () => {
    for (const body of [
      { status: 'need_more_info' },
      { priority: 'urgent' },
      { status: 'closed', priority: 'low' },
      { status: null, priority: 'low' },
    ])
      expect((await w.put(path, body)).body).toEqual({ success: true });
    expect((await w.get(path)).body.data).toMatchObject({ status: 'closed', priority: 'low' });
    const by = deriveId(w.account.key);
    const change = (field: string, from: string, to: string) => ({ at: AT, by, field, from, to });
    const items = [
      change('status', 'open', 'need_more_info'),
      change('priority', 'medium', 'urgent'),
      change('status', 'need_more_info', 'closed'),
      change('priority', 'urgent', 'low'),
    ];
    expect((await w.get(`${path}/history`)).body.data).toEqual({ items, total: 4, has_more: false });
    const first = (await w.get(`${path}/history?limit=3`)).body.data;
    const next = `next_cursor=${first.next_cursor}`;
    expect((await w.get(`${path}/history?${next}`)).body.data).toEqual({
      items: [items[3]],
      total: 4,
      has_more: false,
    });
    expect((await w.get(`${list}/${opened()}/history?${next}`)).status).toBe(400);
  });

  test.each([
    [{}, /^status or priority is required\.$/],
    [{ status: null }, /^status or priority is required\.$/],
    [{ status: null, priority: null }, /^status or priority is required\.$/],
    [{ status: 'done' }, /^status must be one of open, assigned, need_more_info, resolved, closed\.$/],
    [{ status: 'OPEN' }, /^status must be one of/],
    [{ status: ' open' }, /^status must be one of/],
    [{ status: '' }, /^status must be one of/],
    [{ status: ['open'] }, /^status must be one of/],
    [{ status: 1 }, /^status must be one of/],
    [{ status: 'constructor' }, /^status must be one of/],
    [{ priority: 'normal' }, /^priority must be one of low, medium, high, urgent\.$/],
    [{ priority: 'High' }, /^priority must be one of/],
    [{ priority: 0 }, /^priority must be one of/],
    [{ status: 'open', priority: 'none' }, /^priority must be one of/],
    [{ status: 'open', assignee: 'me' }, /^The body must not have the field assignee\.$/],
    [{ status: 'open', id: null }, /^The body must not have the field id\.$/],
    [{ Status: 'open' }, /^The body must not have the field Status\.$/],
  ])('no update: %j', async (body, says) => {
    expect(await w.put(path, body)).toMatchObject({
      status: 400,
      body: { success: false, message: expect.stringMatching(says) },
    });
    expect((await w.get(`${path}/history`)).body.data.total).toBe(0);
  });

  test('a reply answers only success, and stands in the conversation', async () => {
    expect((await w.post(`${path}/reply`, { message: 'On its way.' })).body).toEqual({ success: true });
    expect((await w.get(path)).body.data.conversation).toEqual([
      { role: 'user', message: 'Help!' },
      { role: 'assistant', message: 'On its way.' },
    ]);
    expect(w.conversations.state.lastPersona).toBeUndefined();
  });

  test('a field that a reply does not know is ignored', async () => {
    const body = { message: 'Hi.', subject: 5, ...(segment === 'emails' && { persona_id: 'joy' }) };
    expect((await w.post(`${path}/reply`, body)).body).toEqual({ success: true });
  });

  test.each([
    [{}, /^message is required/],
    [{ message: null }, /^message is required/],
    [{ message: ' \n' }, /^message must not be blank/],
    [{ message: 'x'.repeat(10_001) }, /^message must have at most 10,000 characters/],
    [{ message: ['x'] }, /^message must be a string/],
  ])('no reply: %#', async (body, says) => {
    expect(await w.post(`${path}/reply`, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(says) },
    });
    expect((await w.get(path)).body.data.conversation).toHaveLength(1);
  });

  test('a block can be repeated, and is lifted', async () => {
    const result = (status: string) => ({ items: [{ target: id, targetType, status }], failed: [] });
    for (let i = 0; i < 2; i++) expect((await w.put(`${path}/block`)).body.data).toEqual(result('ACTIVE'));
    expect(w.conversations.state.threads.rows.find((row) => row.id === id)!.blocked).toBe(true);
    for (let i = 0; i < 2; i++) expect((await w.delete(`${path}/block`)).body.data).toEqual(result('LIFTED'));
    expect(w.conversations.state.threads.rows.find((row) => row.id === id)!.blocked).toBe(false);
  });

  /** Every operation on one of them, each with a body that it accepts. */
  const operations: [method: 'get' | 'put' | 'post' | 'delete', path: string, scope?: Scope, body?: object][] = [
    ['get', ''],
    ['put', '', scopes.write, { status: 'closed' }],
    ['post', '/reply', scopes.write, { message: 'Hi.' }],
    ['put', '/block', scopes.block],
    ['delete', '/block', scopes.block],
    ['get', '/history'],
    ['get', '/evidence'],
  ];
  type Options = { key?: string };
  const send = ([method, rest, , body]: (typeof operations)[number], at: string, options: Options = {}) =>
    method === 'get' ? w.get(`${at}${rest}`, options) : w[method](`${at}${rest}`, body, options);

  test.each(operations)('%s %s: who may, and in which order it is checked', async (...operation) => {
    const [, , scope] = operation;
    const all = scope === undefined ? undefined : w.keyWith(...Object.values(Scope).filter((s) => s !== scope));
    // The scope comes before everything about the path.
    if (scope !== undefined)
      expect(await send(operation, `${parent.path}/${segment}/no!`, { key: all! })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(nameOf(scope)) },
      });
    const key = scope === undefined ? w.keyWith() : w.keyWith(scope);
    const says = async (at: string, status: number, message: RegExp) =>
      expect(await send(operation, at, { key })).toMatchObject({
        status,
        body: { success: false, message: expect.stringMatching(message) },
      });
    const foreign = await assistant(w.other.key);
    const theirs = opened({ account: w.other.id, assistantId: foreign.id });
    await says(`${foreign.path}/${segment}/no!`, 400, new RegExp(`^${param} must be a UUID`));
    await says(`${parent.path}!/${segment}/${id}`, 400, /^id must be/);
    for (const child of [theirs, id, UNKNOWN])
      await says(`${foreign.path}/${segment}/${child}`, 403, /another account/);
    const unknown = list.replace(parent.path.split('/')[2]!, UNKNOWN);
    await says(`${unknown}/${id}`, 404, /no such/);
    for (const child of [UNKNOWN, theirs, opened({ assistantId: (await assistant()).id })])
      await says(`${list}/${child}`, 404, /no such/);
    expect((await send(operation, path, { key })).status).toBe(200);
  });

  test('what a request says is checked before whose it is', async () => {
    const foreign = `${(await assistant(w.other.key)).path}/${segment}`;
    expect((await w.get(`${foreign}?status=`)).status).toBe(400);
    expect((await w.get(`${foreign}?created_after=soon`)).body.message).toMatch(/^created_after must be/);
    expect((await w.get(foreign)).status).toBe(403);
    expect((await w.put(`${foreign}/${UNKNOWN}`, { status: 'open', x: 1 })).status).toBe(400);
    expect((await w.post(`${foreign}/${UNKNOWN}/reply`, {})).status).toBe(400);
    expect((await w.get(`${foreign}/${UNKNOWN}/history?limit=0`)).status).toBe(400);
  });
});
