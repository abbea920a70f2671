import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { FormField, TicketForm } from '../e2e/resources.ts';
import { emoji, expectData, expectRefused, PUBLIC_ID, UUID } from './check.ts';
import { a, mine, seed, storesNothing } from './given.ts';
import { opened } from './seed.ts';

const { api } = a;
const { ids } = mine;

const shape = (title: string, fields: unknown[] = [], allowed_domains: string[] = []) => ({
  id: UUID,
  public_id: PUBLIC_ID,
  title,
  allowed_domains,
  fields,
});
const create = (body: object) => api.post<TicketForm>('/ticket-forms', { title: 'T', ...body });
const choices = [
  { value: 's', label: 'Small' },
  { value: 'l', label: 'Large' },
];
const SIMPLE = ['TEXT', 'LONG_TEXT', 'EMAIL', 'NUMBER', 'CHECKBOX', 'DATE'];
const SELECTING = ['SELECT', 'MULTI_SELECT'];

describe('a ticket form', () => {
  test('has the right fields when created, read by each id, listed, changed and deleted', async () => {
    const made = expectData(await create({ title: ' Contact ' }), shape(' Contact '));
    for (const id of [made.id, made.id.toUpperCase(), made.public_id])
      expectData(await api.get(`/ticket-form/${id}`), made);
    expect(must(await api.get<TicketForm[]>('/ticket-forms'))[0]).toEqual(made);
    const changed = { ...made, title: 'Support', allowed_domains: ['example.com'] };
    const patch = { title: 'Support', allowed_domains: ['Example.com'] };
    expectData(await api.patch(`/ticket-form/${made.public_id}`, patch), changed);
    expectData(await api.patch(`/ticket-form/${made.id}`, {}), changed);
    expectData(await api.patch(`/ticket-form/${made.id}`, { colour: 'red', id: randomUUID() }), changed);
    expectData(await api.patch(`/ticket-form/${made.id}`, { allowed_domains: null }), {
      ...changed,
      allowed_domains: [],
    });
    expectData(await api.del(`/ticket-form/${made.public_id}`), { ...changed, allowed_domains: [] });
    for (const id of [made.id, made.public_id]) expectRefused(await api.get(`/ticket-form/${id}`), 404);
    expectRefused(await api.del(`/ticket-form/${made.id}`), 404);
    expect(must(await api.get<TicketForm[]>('/ticket-forms')).map(({ id }) => id)).not.toContain(made.id);
  });

  test('that is deleted takes its tickets along', async () => {
    const form = must(await create({}));
    const [ticket] = await opened(seed, [{ kind: 'ticket', parent: form, email: 'e@example.com', message: 'Hi.' }]);
    must(await api.del(`/ticket-form/${form.id}`));
    expectRefused(await api.get(`/ticket-form/${form.id}/tickets`), 404);
    expectRefused(await api.get(`/ticket-form/${form.id}/tickets/${ticket}`), 404);
    const late = await seed([{ kind: 'ticket', parent: form, email: 'e@example.com', message: 'Hi.' }]);
    expect(late).toMatchObject({ ids: [], error: expect.any(String) });
  });

  test('with null for optional fields is as without them', async () => {
    expectData(await create({ fields: null, allowed_domains: null }), shape('T'));
  });
});

describe('a form field', () => {
  const field = (body: object) => ({ name: 'Size?', type: 'TEXT', ...body });
  const made = async (body: object): Promise<FormField> => must(await create({ fields: [field(body)] })).fields[0]!;

  test.each(SIMPLE)('of type %s has id, name, type and required', async (type) => {
    expect(await made({ type })).toEqual({ id: expect.any(String), name: 'Size?', type, required: false });
    expect(await made({ type, required: true })).toMatchObject({ type, required: true });
  });

  test.each(SELECTING)('of type %s has its choices too', async (type) => {
    const whole = { id: expect.any(String), name: 'Size?', type, required: false, defaultSelectValues: choices };
    expect(await made({ type, defaultSelectValues: choices })).toEqual(whole);
  });

  test('keeps its place, and its id if the change names it', async () => {
    const form = must(await create({ fields: ['One', 'Two', 'Three'].map((name) => field({ name })) }));
    const at = `/ticket-form/${form.id}`;
    const [one, two, three] = form.fields as [FormField, FormField, FormField];
    expect([one, two, three].map(({ name }) => name)).toEqual(['One', 'Two', 'Three']);
    expect(new Set([one.id, two.id, three.id]).size).toBe(3);
    const changed = must(
      await api.patch<TicketForm>(at, {
        fields: [{ ...three, name: 'Third' }, field({ name: 'New' }), { ...one, type: 'NUMBER', required: true }],
      }),
    );
    expect(changed.fields).toEqual([
      { ...three, name: 'Third' },
      { id: expect.any(String), name: 'New', type: 'TEXT', required: false },
      { ...one, type: 'NUMBER', required: true },
    ]);
    expect([one.id, two.id, three.id]).not.toContain(changed.fields[1]!.id);
    expectData(await api.get(at), changed);
    expectData(await api.patch(at, { title: 'Other' }), { ...changed, title: 'Other' });
    expectData(await api.patch(at, { fields: [] }), { ...changed, title: 'Other', fields: [] });
  });

  test('is cleared by null in a change', async () => {
    const form = must(await create({ fields: [field({})] }));
    expect(must(await api.patch<TicketForm>(`/ticket-form/${form.id}`, { fields: null })).fields).toEqual([]);
  });

  test('has a name of at most 200 code points', async () => {
    expect((await made({ name: emoji(200) })).name).toBe(emoji(200));
    expectRefused(await create({ fields: [field({ name: emoji(201) })] }), 400, 'fields');
  });

  storesNothing(['/ticket-forms', `/ticket-form/${ids.form}`], () => {
    test.each<[string, unknown]>([
      ['no list', 'x'],
      ['an object', {}],
      ['a number', 7],
      ['a list of texts', ['x']],
      ['null', [null]],
      ['no name', [{ type: 'TEXT' }]],
      ['a blank name', [field({ name: ' ' })]],
      ['a null name', [field({ name: null })]],
      ['a name of the wrong type', [field({ name: 7 })]],
      ['no type', [{ name: 'N' }]],
      ['an unknown type', [field({ type: 'COLOUR' })]],
      ['a type in lower case', [field({ type: 'text' })]],
      ['a required that is no boolean', [field({ required: 'yes' })]],
      ['a SELECT without choices', [field({ type: 'SELECT' })]],
      ['a MULTI_SELECT without choices', [field({ type: 'MULTI_SELECT' })]],
      ['a SELECT with no choice', [field({ type: 'SELECT', defaultSelectValues: [] })]],
      ['choices that are texts', [field({ type: 'SELECT', defaultSelectValues: ['s'] })]],
      ['a choice without a label', [field({ type: 'SELECT', defaultSelectValues: [{ value: 's' }] })]],
      ['a choice without a value', [field({ type: 'SELECT', defaultSelectValues: [{ label: 'S' }] })]],
      ['choices on a TEXT', [field({ defaultSelectValues: choices })]],
    ])('with %s is refused', async (_, fields) => {
      expectRefused(await create({ fields }), 400, 'fields');
      expectRefused(await api.patch(`/ticket-form/${ids.form}`, { fields }), 400, 'fields');
    });

    test('with an id of the wrong type is refused in a change', async () => {
      const fields = [field({ id: 7 })];
      expectRefused(await api.patch(`/ticket-form/${ids.form}`, { fields }), 400, 'fields');
    });
  });
});
