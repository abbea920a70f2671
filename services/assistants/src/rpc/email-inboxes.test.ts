import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { assistants, call } from '../testing/assistants.ts';

const as = (account: string, operation = randomId()) => call({ account, operation }).onward();
const fresh = () => `in-${randomId().slice(0, 18)}`;
const create = async (account: string, alias = fresh(), operation = randomId(), description?: string) =>
  (
    await assistants.createEmailInbox(
      { alias, title: 'Inbox', ...(description !== undefined && { description }) },
      as(account, operation),
    )
  ).emailInbox!;
const get = async (account: string, id: string) => (await assistants.getEmailInbox({ id }, as(account))).emailInbox!;
const change = async (account: string, id: string, fields: object, operation = randomId()) =>
  (await assistants.updateEmailInbox({ id, ...fields }, as(account, operation))).emailInbox!;
const remove = async (account: string, id: string, operation = randomId()) =>
  (await assistants.deleteEmailInbox({ id }, as(account, operation))).emailInbox!;
const taken = { code: Code.AlreadyExists, rawMessage: expect.stringContaining('alias') };

test('an inbox is found by its id and its alias, in any case', async () => {
  const account = randomId();
  const alias = fresh();
  const inbox = await create(account, alias.toUpperCase(), randomId(), '$note');
  expect(inbox).toMatchObject({ alias, title: 'Inbox', description: '$note' });
  for (const id of [inbox.id, inbox.id.toUpperCase(), alias, alias.toUpperCase()])
    expect(await get(account, id)).toEqual(inbox);
  expect((await assistants.listEmailInboxes({}, as(account))).emailInboxes).toEqual([inbox]);
});

test('an account has many inboxes, and each operation creates one', async () => {
  const account = randomId();
  const [alias, operation] = [fresh(), randomId()];
  const made = await Promise.all(Array.from({ length: 4 }, () => create(account, alias, operation)));
  for (const inbox of made) expect(inbox).toEqual(made[0]);
  await create(account);
  const { emailInboxes } = await assistants.listEmailInboxes({}, as(account));
  expect(emailInboxes).toHaveLength(2);
  expect(emailInboxes[1]).toEqual(made[0]);
});

test('the description can be changed and cleared; a title can only be changed', async () => {
  const account = randomId();
  const { id, alias } = await create(account, fresh(), randomId(), 'First');
  const described = { descriptionChange: { case: 'description', value: '' } };
  expect(await change(account, alias, described)).toMatchObject({ description: '' });
  const cleared = await change(account, alias, { descriptionChange: { case: 'clearDescription', value: true } });
  expect(cleared.description).toBeUndefined();
  expect(await change(account, id, { title: 'Two' })).toMatchObject({ title: 'Two', alias });
  expect(await change(account, id, {})).toMatchObject({ title: 'Two', alias });
  await expect(change(account, id, { title: ' ' })).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test.each([
  ['a', 'alias must have 2 to 64'],
  ['', 'alias must have'],
  ['-ab', 'alias must have'],
  ['a b', 'alias must have'],
  ['ä1', 'alias must have'],
  ['a'.repeat(65), 'alias must have'],
  [randomId(), 'UUID'],
  ['Postmaster', 'reserved'],
  ['reply', 'reserved'],
  ['abuse', 'reserved'],
  ['mailer-daemon', 'reserved'],
  ['NoReply', 'reserved'],
])('%j is no alias', async (alias, says) => {
  const account = randomId();
  const refusal = { code: Code.InvalidArgument, rawMessage: expect.stringContaining(says) };
  await expect(create(account, alias)).rejects.toMatchObject(refusal);
  const { id } = await create(account);
  await expect(change(account, id, { alias })).rejects.toMatchObject(refusal);
});

test('an alias is unique over all accounts, whether it is created or changed to', async () => {
  const [one, other] = [randomId(), randomId()];
  const { alias } = await create(one);
  const mine = await create(other);
  for (const account of [one, other]) await expect(create(account, alias)).rejects.toMatchObject(taken);
  await expect(change(other, mine.id, { alias })).rejects.toMatchObject(taken);
  expect(await get(other, mine.id)).toEqual(mine);
  await expect(get(other, alias)).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('a freed alias stays reserved for other accounts, but its former account may take it again at once', async () => {
  const [one, other] = [randomId(), randomId()];
  const deleted = await create(one);
  expect(await remove(one, deleted.alias)).toEqual(deleted);
  const changed = await create(one);
  const to = fresh();
  expect(await change(one, changed.id, { alias: to.toUpperCase() })).toEqual({ ...changed, alias: to });
  await expect(get(one, changed.alias)).rejects.toMatchObject({ code: Code.NotFound });
  for (const { alias } of [deleted, changed]) {
    await expect(create(other, alias)).rejects.toMatchObject(taken);
    expect(await create(one, alias)).toMatchObject({ alias });
    await expect(create(other, alias)).rejects.toMatchObject(taken);
  }
});

test('a change of the alias can be taken back, and is idempotent by operation', async () => {
  const account = randomId();
  const inbox = await create(account);
  const [alias, operation] = [fresh(), randomId()];
  const moved = await Promise.all([1, 2, 3].map(() => change(account, inbox.id, { alias }, operation)));
  for (const one of moved) expect(one).toEqual({ ...inbox, alias });
  expect(await change(account, inbox.id, { alias: inbox.alias })).toEqual(inbox);
});

test('of many who want the same alias at once, one gets it', async () => {
  const accounts = [randomId(), randomId(), randomId()];
  const alias = fresh();
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => create(accounts[i % 3]!, alias)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(taken);
});

test('the operation of an inbox that was deleted meanwhile finds it, and creates no other', async () => {
  const account = randomId();
  const operation = randomId();
  const inbox = await create(account, fresh(), operation);
  await remove(account, inbox.id);
  expect(await create(account, inbox.alias, operation)).toEqual(inbox);
  expect((await assistants.listEmailInboxes({}, as(account))).emailInboxes).toEqual([]);
  await expect(create(randomId(), inbox.alias)).rejects.toMatchObject(taken);
});
