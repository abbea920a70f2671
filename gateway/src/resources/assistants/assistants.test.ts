import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const PUBLIC_ID = expect.stringMatching(/^[A-Za-z0-9]{12}$/);
const values = [{ value: 's', label: 'Small' }];
let aliases = 0;
const alias = () => `inbox-${++aliases}`;

describe.each([
  {
    list: '/chatbots',
    one: '/chatbot',
    scope: 'CHATBOTS_WRITE',
    create: () => ({ title: 'One' }),
    shape: { id: ID, public_id: PUBLIC_ID, title: 'One', allowed_domains: [] },
    named: 'public_id',
  },
  {
    list: '/ticket-forms',
    one: '/ticket-form',
    scope: 'TICKETFORMS_WRITE',
    create: () => ({ title: 'One', fields: null }),
    shape: { id: ID, public_id: PUBLIC_ID, title: 'One', allowed_domains: [], fields: [] },
    named: 'public_id',
  },
  {
    list: '/email-inboxes',
    one: '/email-inbox',
    scope: 'EMAILINBOXES_WRITE',
    create: () => ({ title: 'One', alias: alias(), description: null }),
    shape: { id: ID, alias: expect.stringMatching(/^inbox-\d+$/), title: 'One' },
    named: 'alias',
  },
] as const)('$one', ({ list, one, scope, create, shape, named }) => {
  test('is created, read by each of its names, listed, changed and deleted', async () => {
    const made = (await w.post(list, create())).body.data;
    expect(made).toEqual(shape);
    for (const name of [made.id, made.id.toUpperCase(), made[named]])
      expect((await w.get(`${one}/${name}`)).body).toEqual({ success: true, data: made });
    expect((await w.get(list)).body.data).toEqual([made]);

    const at = `${one}/${made[named]}`;
    expect((await w.patch(at, { title: 'Two', unknown: 1 })).body).toEqual({
      success: true,
      data: { ...made, title: 'Two' },
    });
    for (const empty of [{}, undefined])
      expect((await w.patch(at, empty)).body.data).toEqual({ ...made, title: 'Two' });
    expect((await w.delete(at)).body).toEqual({ success: true, data: { ...made, title: 'Two' } });
    for (const answer of [await w.get(at), await w.delete(at), await w.patch(at, {})]) expect(answer.status).toBe(404);
    expect((await w.get(list)).body.data).toEqual([]);
  });

  test('has settings of its answers, which appear once one is set, and null brings back the default', async () => {
    const made = (await w.post(list, create())).body.data;
    const patch = async (body: object) => (await w.patch(`${one}/${made.id}`, body)).body.data;
    const texts = { greeting: null, tone: null, no_evidence_message: null, low_confidence_message: null };
    const defaults = { ...texts, faq_first: false };
    const said = { greeting: ' Hi! ', no_evidence_message: 'Call us.', low_confidence_message: 'Maybe:' };
    const set = { ...said, tone: 'brief', faq_first: true };
    expect(await patch(set)).toEqual({ ...made, ...set });
    expect(await patch({ greeting: 'Hello.' })).toEqual({ ...made, ...set, greeting: 'Hello.' });
    expect((await w.get(`${one}/${made.id}`)).body.data).toEqual({ ...made, ...set, greeting: 'Hello.' });
    expect(await patch({ ...texts, faq_first: null })).toEqual({
      ...made,
      ...defaults,
    });
  });

  test.each([
    [{ greeting: ' ' }, 'greeting must not be blank.'],
    [{ greeting: '' }, 'greeting must not be blank.'],
    [{ greeting: 'x'.repeat(501) }, 'greeting must have at most 500 characters.'],
    [{ tone: 7 }, 'tone must be a string.'],
    [{ tone: 'x'.repeat(201) }, 'tone must have at most 200 characters.'],
    [{ no_evidence_message: '\n' }, 'no_evidence_message must not be blank.'],
    [{ no_evidence_message: 'x'.repeat(501) }, 'no_evidence_message must have at most 500 characters.'],
    [{ low_confidence_message: ' ' }, 'low_confidence_message must not be blank.'],
    [{ low_confidence_message: 'x'.repeat(501) }, 'low_confidence_message must have at most 500 characters.'],
    [{ faq_first: 'yes' }, 'faq_first must be a boolean.'],
  ])('has no such setting: %j', async (wrong, message) => {
    const { id } = (await w.post(list, create())).body.data;
    expect(await w.patch(`${one}/${id}`, wrong)).toMatchObject({ status: 400, body: { success: false, message } });
  });

  test('is written only with its scope, and read with any key', async () => {
    const made = (await w.post(list, create())).body.data;
    const at = `${one}/${made.id}`;
    const bare = { key: w.keyWith() };
    const refusals = [
      await w.post(list, {}, bare),
      await w.patch(at, { title: 1 }, bare),
      await w.delete(at, {}, bare),
    ];
    for (const answer of refusals)
      expect(answer).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(scope) },
      });
    for (const path of [list, at, `${at}/knowledge`]) expect((await w.get(path, bare)).status).toBe(200);
    const scoped = { key: w.keyWith(Scope[scope]) };
    expect((await w.patch(at, { title: 'Two' }, scoped)).status).toBe(200);
    expect((await w.delete(at, undefined, scoped)).status).toBe(200);
  });

  test('of another account is refused, by each of its names', async () => {
    const made = (await w.post(list, create())).body.data;
    const theirs = { key: w.other.key };
    for (const name of [made.id, made[named]]) {
      const at = `${one}/${name}`;
      for (const answer of [await w.get(at, theirs), await w.patch(at, {}, theirs), await w.delete(at, {}, theirs)])
        expect(answer.status).toBe(403);
    }
    expect((await w.get(list, theirs)).body.data).toEqual([]);
  });

  test('attaches knowledge by each of its names, and answers only with success', async () => {
    const made = (await w.post(list, create())).body.data;
    const knowledge_id = (await w.post('/knowledge/faq', { title: 'F' })).body.data.id;
    expect((await w.put(`${one}/${made[named]}/knowledge`, { knowledge_id })).body).toEqual({ success: true });
    expect((await w.get(`${one}/${made.id}/knowledge`)).body.data).toMatchObject({
      items: [{ id: knowledge_id }],
      total: 1,
    });
    expect((await w.delete(`${one}/${made.id}/knowledge`, { knowledge_id })).body).toEqual({ success: true });
  });

  test.each([
    [{ title: null }, 'title is required.'],
    [{ title: ' ' }, 'title must not be blank.'],
    [{ title: 1 }, 'title must be a string.'],
    [{ title: 'x'.repeat(201) }, 'title must have at most 200 characters.'],
  ])('has a title: %j is refused when it is created or changed', async (title, message) => {
    const { id } = (await w.post(list, create())).body.data;
    const refused = { status: 400, body: { success: false, message } };
    expect(await w.post(list, { ...create(), ...title })).toMatchObject(refused);
    expect(await w.patch(`${one}/${id}`, title)).toMatchObject(refused);
    // The body is checked before the id is looked up.
    expect(await w.patch(`${one}/${randomId()}`, title)).toMatchObject(refused);
  });
});

test('the fields of a form keep their shape: values only where there is a choice', async () => {
  const fields = [
    { name: 'Name', type: 'TEXT', id: 'ignored' },
    { name: 'Size', type: 'MULTI_SELECT', required: true, defaultSelectValues: values },
    { name: 'One', type: 'SELECT', required: null, defaultSelectValues: values },
    ...['LONG_TEXT', 'EMAIL', 'NUMBER', 'CHECKBOX', 'DATE'].map((type) => ({
      name: type,
      type,
      defaultSelectValues: null,
    })),
  ];
  const form = (await w.post('/ticket-forms', { title: 'Form', fields })).body.data;
  expect(form.fields).toEqual([
    { id: ID, name: 'Name', type: 'TEXT', required: false },
    { id: ID, name: 'Size', type: 'MULTI_SELECT', required: true, defaultSelectValues: values },
    { id: ID, name: 'One', type: 'SELECT', required: false, defaultSelectValues: values },
    ...['LONG_TEXT', 'EMAIL', 'NUMBER', 'CHECKBOX', 'DATE'].map((type) => ({
      id: ID,
      name: type,
      type,
      required: false,
    })),
  ]);
  const at = `/ticket-form/${form.public_id}`;
  const changed = await w.patch(at, { fields: [{ ...form.fields[1], name: 'Sizes' }], allowed_domains: ['a.example'] });
  expect(changed.body.data).toEqual({
    ...form,
    allowed_domains: ['a.example'],
    fields: [{ ...form.fields[1], name: 'Sizes' }],
  });
  const cleared = await w.patch(at, { fields: null, allowed_domains: null });
  expect(cleared.body.data).toEqual({ ...form, fields: [], allowed_domains: [] });
});

test.each<[object, string]>([
  [{ type: 'TEXT' }, 'fields[0].name is required'],
  [{ name: ' ', type: 'TEXT' }, 'fields[0].name must not be blank'],
  [{ name: 'x'.repeat(201), type: 'TEXT' }, 'fields[0].name must have at most 200'],
  [{ name: 'x' }, 'fields[0].type'],
  [{ name: 'x', type: 'text' }, 'fields[0].type must be one of TEXT, LONG_TEXT'],
  [{ name: 'x', type: 'TEXT', required: 'yes' }, 'fields[0].required must be a boolean'],
  [{ name: 'x', type: 'TEXT', defaultSelectValues: [] }, 'fields[0].defaultSelectValues'],
  [{ name: 'x', type: 'SELECT', defaultSelectValues: [] }, 'fields[0].defaultSelectValues'],
  [{ name: 'x', type: 'SELECT', defaultSelectValues: 'a' }, 'fields[0].defaultSelectValues must be an array'],
  [{ name: 'x', type: 'SELECT', defaultSelectValues: Array(201).fill(values[0]) }, 'fields[0].defaultSelectValues'],
  [{ name: 'x', type: 'SELECT', defaultSelectValues: [{ value: 'a' }] }, 'fields[0].defaultSelectValues[0].label'],
  [{ name: 'x', type: 'SELECT', defaultSelectValues: [{ value: ' ', label: 'a' }] }, '[0].value must not be blank'],
])('no field of a form: %j', async (field, says) => {
  const refused = { status: 400, body: { message: expect.stringContaining(says) } };
  expect(await w.post('/ticket-forms', { title: 'Form', fields: [field] })).toMatchObject(refused);
  const { id } = (await w.post('/ticket-forms', { title: 'Form' })).body.data;
  expect(await w.patch(`/ticket-form/${id}`, { fields: [field] })).toMatchObject(refused);
});

test('a form has at most 100 fields, and each id is a UUID', async () => {
  const { id } = (await w.post('/ticket-forms', { title: 'Form' })).body.data;
  const field = { name: 'x', type: 'TEXT' };
  const wrong = { status: 400, body: { message: expect.stringMatching(/^fields(\[0\]\.id)? must/) } };
  expect(await w.patch(`/ticket-form/${id}`, { fields: Array(101).fill(field) })).toMatchObject(wrong);
  expect(await w.patch(`/ticket-form/${id}`, { fields: [{ ...field, id: 'x' }] })).toMatchObject(wrong);
  expect((await w.patch(`/ticket-form/${id}`, { fields: Array(100).fill({ ...field, id: null }) })).status).toBe(200);
});

test('the description of an inbox is shown where there is one, and null clears it', async () => {
  const inbox = (await w.post('/email-inboxes', { title: 'Inbox', alias: 'Sales', description: '' })).body.data;
  expect(inbox).toEqual({ id: ID, alias: 'sales', title: 'Inbox', description: '' });
  expect((await w.get('/email-inbox/SALES')).body.data).toEqual(inbox);
  const { description, ...plain } = inbox;
  expect((await w.patch('/email-inbox/sales', { description: null })).body.data).toEqual(plain);
  expect((await w.patch('/email-inbox/Sales', { alias: 'Shop', description: 'D' })).body.data).toEqual({
    ...plain,
    alias: 'shop',
    description: 'D',
  });
  const long = { status: 400, body: { message: expect.stringMatching(/^description must have at most 2,000/) } };
  expect(await w.patch('/email-inbox/shop', { description: 'x'.repeat(2_001) })).toMatchObject(long);
});

test.each([undefined, null, 'a', '-ab', 'a b', 'a@b', 'ä1', 'a'.repeat(65), randomId()])(
  'no alias: %j',
  async (wrong) => {
    const answer = await w.post('/email-inboxes', { title: 'Inbox', alias: wrong });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^alias /) } });
    if (wrong === undefined) return;
    const { id } = (await w.post('/email-inboxes', { title: 'Inbox', alias: alias() })).body.data;
    expect((await w.patch(`/email-inbox/${id}`, { alias: wrong })).status).toBe(400);
  },
);

test('an alias that is taken is a conflict that names it', async () => {
  const first = (await w.post('/email-inboxes', { title: 'Inbox', alias: alias() })).body.data;
  const taken = { status: 409, body: { message: expect.stringContaining('alias') } };
  expect(await w.post('/email-inboxes', { title: 'Inbox', alias: first.alias })).toMatchObject(taken);
  const second = (await w.post('/email-inboxes', { title: 'Inbox', alias: alias() })).body.data;
  expect(await w.patch(`/email-inbox/${second.id}`, { alias: first.alias.toUpperCase() })).toMatchObject(taken);
});
