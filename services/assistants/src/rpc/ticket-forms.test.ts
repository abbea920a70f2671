import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { FormFieldType } from '@parley/proto/assistants/v1/assistants_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { assistants, call } from '../testing/assistants.ts';

const text = (name: string, id = '') => ({ id, name, type: FormFieldType.TEXT });
const choice = (name: string, values = ['a', 'b']) => ({
  name,
  type: FormFieldType.MULTI_SELECT,
  required: true,
  defaultSelectValues: values.map((value) => ({ value, label: value.toUpperCase() })),
});
type Fields = Parameters<typeof assistants.createTicketForm>[0]['fields'];

const as = (account: string, operation = randomId()) => call({ account, operation }).onward();
const create = async (account: string, fields: Fields = [], operation = randomId()) =>
  (await assistants.createTicketForm({ title: 'Form', fields }, as(account, operation))).ticketForm!;
const update = async (account: string, id: string, fields: Fields, operation = randomId()) =>
  (await assistants.updateTicketForm({ id, fields: { values: fields! } }, as(account, operation))).ticketForm!;
const get = async (account: string, id: string) => (await assistants.getTicketForm({ id }, as(account))).ticketForm!;

test('a form is found by its id, in any case, and by its public id, with its fields as they were given', async () => {
  const account = randomId();
  const form = await create(account, [text('$name'), choice('Size')]);
  expect(form.fields).toMatchObject([
    { name: '$name', type: FormFieldType.TEXT, required: false, defaultSelectValues: [] },
    { name: 'Size', required: true, defaultSelectValues: [{ value: 'a', label: 'A' }, { value: 'b' }] },
  ]);
  expect(new Set(form.fields.map(({ id }) => id)).size).toBe(2);
  for (const id of [form.id, form.id.toUpperCase(), form.publicId]) expect(await get(account, id)).toEqual(form);
});

test('the same operation creates one form, with the same field ids', async () => {
  const [account, operation] = [randomId(), randomId()];
  const made = await Promise.all([1, 2, 3].map(() => create(account, [text('a'), text('b')], operation)));
  for (const form of made) expect(form).toEqual(made[0]);
});

test('an update replaces the whole list; a field with a known id keeps it', async () => {
  const account = randomId();
  const form = await create(account, [text('a'), text('b')]);
  const [a, b] = form.fields.map(({ id }) => id);
  const operation = randomId();
  const changed = await update(account, form.publicId, [text('new'), text('B', b!.toUpperCase())], operation);
  expect(changed.fields.map(({ name }) => name)).toEqual(['new', 'B']);
  expect(changed.fields[1]!.id).toBe(b);
  expect([a, b]).not.toContain(changed.fields[0]!.id);
  expect(await update(account, form.id, [text('new'), text('B', b)], operation)).toEqual(changed);
  expect((await update(account, form.id, [])).fields).toEqual([]);
});

test('an unknown or repeated field id is refused, and nothing changes', async () => {
  const account = randomId();
  const form = await create(account, [text('a')]);
  const { id } = form.fields[0]!;
  for (const [fields, at] of [
    [[text('x', randomId())], 'fields[0].id'],
    [[text('x', id), text('y', id)], 'fields[1].id'],
  ] as const)
    await expect(update(account, form.id, [...fields])).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(at),
    });
  expect(await get(account, form.id)).toEqual(form);
});

test.each<[string, NonNullable<Fields>, string]>([
  ['101 fields', Array.from({ length: 101 }, () => text('x')), 'fields'],
  ['a blank name', [text('a'), text(' ')], 'fields[1].name'],
  ['a name of 201 code points', [text('x'.repeat(201))], 'fields[0].name'],
  ['no type', [{ name: 'x' }], 'fields[0].type'],
  ['an unknown type', [{ name: 'x', type: 99 as FormFieldType }], 'fields[0].type'],
  ['a select without values', [choice('x', [])], 'fields[0].defaultSelectValues'],
  ['201 values', [choice('x', Array(201).fill('v'))], 'fields[0].defaultSelectValues'],
  ['a blank value', [choice('x', ['v', ' '])], 'fields[0].defaultSelectValues[1].value'],
  ['2,001 values in all', Array.from({ length: 11 }, () => choice('x', Array(191).fill('v'))), 'fields'],
  ['values on a text', [{ ...text('x'), defaultSelectValues: [{ value: 'v', label: 'l' }] }], 'defaultSelectValues'],
  ['an id in a new form', [text('x', randomId())], 'fields[0].id'],
])('%s is refused, and nothing is stored', async (_, fields, names) => {
  const account = randomId();
  await expect(create(account, fields)).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining(names),
  });
  expect((await assistants.listTicketForms({}, as(account))).ticketForms).toEqual([]);
});

test('concurrent replacements of the fields each apply to the list as it is then', async () => {
  const account = randomId();
  const form = await create(account, [text('a')]);
  const { id } = form.fields[0]!;
  const names = ['b', 'c', 'd'];
  const updated = await Promise.all(names.map((name) => update(account, form.id, [text(name, id)])));
  expect(updated.map(({ fields }) => fields)).toMatchObject(names.map((name) => [{ id, name }]));
  expect(names).toContain((await get(account, form.id)).fields[0]!.name);
});
