import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { EmailInbox } from '../e2e/resources.ts';
import { expectData, expectRefused, UUID } from './check.ts';
import { a, b, mine, seed, storesNothing, theirs } from './given.ts';
import { unique } from './operations.ts';
import { opened } from './seed.ts';

const { api } = a;
const { ids, inbox } = mine;

const create = (body: object) => api.post<EmailInbox>('/email-inboxes', { alias: unique(), title: 'T', ...body });

describe('an email inbox', () => {
  test('has the right fields when created, read by id and alias, listed, changed and deleted', async () => {
    const alias = unique();
    const body = { alias, title: ' Mail ', description: ' Of the shop. ' };
    const made = expectData(await create(body), { id: UUID, ...body });
    for (const id of [made.id, made.id.toUpperCase(), alias]) expectData(await api.get(`/email-inbox/${id}`), made);
    expect(must(await api.get<EmailInbox[]>('/email-inboxes'))[0]).toEqual(made);
    const changed = { ...made, title: 'Post', description: 'Other.' };
    expectData(await api.patch(`/email-inbox/${alias}`, { title: 'Post', description: 'Other.' }), changed);
    expectData(await api.patch(`/email-inbox/${made.id}`, {}), changed);
    expectData(await api.patch(`/email-inbox/${made.id}`, { colour: 'red', id: randomUUID() }), changed);
    expectData(await api.get(`/email-inbox/${made.id}`), changed);
    const { description: _, ...plain } = changed;
    expectData(await api.patch(`/email-inbox/${made.id}`, { description: null }), plain);
    expectData(await api.get(`/email-inbox/${made.id}`), plain);
    expectData(await api.del(`/email-inbox/${alias}`), plain);
    for (const id of [made.id, alias]) expectRefused(await api.get(`/email-inbox/${id}`), 404);
    expectRefused(await api.del(`/email-inbox/${made.id}`), 404);
    expect(must(await api.get<EmailInbox[]>('/email-inboxes')).map(({ id }) => id)).not.toContain(made.id);
  });

  test('without a description has no such field', async () => {
    const alias = unique();
    for (const body of [{ alias: `${alias}1` }, { alias: `${alias}2`, description: null }])
      expectData(await create(body), { id: UUID, alias: body.alias, title: 'T' });
  });

  test('that is deleted takes its emails along', async () => {
    const made = must(await create({}));
    const row = {
      kind: 'email',
      parent: { id: made.id },
      email: 'e@example.com',
      subject: 'S',
      message: 'Hi.',
    } as const;
    const [email] = await opened(seed, [row]);
    must(await api.del(`/email-inbox/${made.id}`));
    expectRefused(await api.get(`/email-inbox/${made.id}/emails`), 404);
    expectRefused(await api.get(`/email-inbox/${made.id}/emails/${email}`), 404);
    expect(await seed([row])).toMatchObject({ ids: [], error: expect.any(String) });
  });
});

describe('an alias', () => {
  test('is lower-cased, and found in that form', async () => {
    const alias = `MiXed.${unique()}_x-Y`;
    const made = must(await create({ alias }));
    expect(made.alias).toBe(alias.toLowerCase());
    expect(must(await api.get<EmailInbox>(`/email-inbox/${made.alias}`)).id).toBe(made.id);
  });

  test('has 2 to 64 characters', async () => {
    const long = unique().padEnd(64, 'x');
    expect(must(await create({ alias: long })).alias).toBe(long);
    // Short ones may be taken on a deployment that others use.
    const short = `${'abcdefghij'[Math.floor(Math.random() * 10)]}${Math.floor(Math.random() * 10)}`;
    expect([200, 409]).toContain((await create({ alias: short })).status);
  });

  test('can be changed, and is found only in its new form', async () => {
    const made = must(await create({}));
    const alias = unique();
    expectData(await api.patch(`/email-inbox/${made.id}`, { alias }), { ...made, alias });
    expectData(await api.get(`/email-inbox/${alias}`), { ...made, alias });
    expectRefused(await api.get(`/email-inbox/${made.alias}`), 404);
    expectData(await api.patch(`/email-inbox/${made.id}`, { alias }), { ...made, alias });
  });

  storesNothing(['/email-inboxes'], () => {
    test.each([
      'x',
      '-ab',
      '.ab',
      '_ab',
      'a b',
      'a@b',
      'a/b',
      'ä-b',
      'a\nb',
      'a+b',
      'x'.repeat(65),
      randomUUID(),
      randomUUID().toUpperCase(),
      'reply',
      'postmaster',
      'abuse',
      'mailer-daemon',
      'noreply',
      'NoReply',
      'ABUSE',
    ])('may not be %j', async (alias) => {
      expectRefused(await create({ alias }), 400, 'alias');
      expectRefused(await api.patch(`/email-inbox/${inbox.id}`, { alias }), 400, 'alias');
    });

    test('is unique over all accounts, whatever its case', async () => {
      for (const alias of [inbox.alias, inbox.alias.toUpperCase(), theirs.inbox.alias]) {
        expectRefused(await create({ alias }), 409, 'alias');
        expectRefused(await b.api.post('/email-inboxes', { alias, title: 'T' }), 409, 'alias');
      }
      const changed = { alias: theirs.inbox.alias, title: 'Changed' };
      expectRefused(await api.patch(`/email-inbox/${inbox.id}`, changed), 409, 'alias');
    });
  });

  test('that is freed is kept from other accounts', async () => {
    const made = must(await create({}));
    must(await api.del(`/email-inbox/${made.id}`));
    expectRefused(await b.api.post('/email-inboxes', { alias: made.alias, title: 'T' }), 409, 'alias');
    const changed = must(await create({}));
    must(await api.patch(`/email-inbox/${changed.id}`, { alias: unique() }));
    expectRefused(await b.api.post('/email-inboxes', { alias: changed.alias, title: 'T' }), 409, 'alias');
  });

  test('that no inbox has is a 404', async () => {
    expectRefused(await api.get(`/email-inbox/${unique()}`), 404);
    expect((await api.get(`/email-inbox/${ids.inbox}`)).status).toBe(200);
  });
});
