/** A conversation as its visitor and the owner of the chatbot see it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Chat, Chatbot, Page, TicketForm } from '../e2e/resources.ts';
import { type VisitorReply, visitorOf, vouched } from '../e2e/visitor.ts';
import { expectData, expectDone, expectRefused, TIME, UUID } from './check.ts';
import { a, baseUrl, mine, theirs } from './given.ts';
import { QUESTION } from './populated.ts';

const { api } = a;
const { ids } = mine;

async function chatbot(fields: object = {}) {
  const made = await a.chatbot({ id: ids.faq });
  const bot = must(await api.patch<Chatbot>(`/chatbot/${made.id}`, fields));
  const at = `/chatbot/${bot.id}`;
  const chats = async (filter = '') => must(await api.get<Page<Chat>>(`${at}/chats${filter}`));
  return {
    at,
    bot,
    chats,
    visitor: (token?: string) => visitorOf(baseUrl, bot.public_id, { token }),
    chat: async (id: string) => must(await api.get<Chat>(`${at}/chats/${id}`)),
    secret: async () => must(await api.post<{ secret: string }>(`${at}/identity-secret`)).secret,
  };
}

const REPLY = {
  id: UUID,
  message_id: UUID,
  message: expect.stringContaining('[1]'),
  sources: [{ n: 1, title: expect.any(String), url: null }],
  confidence: expect.stringMatching(/^(high|low)$/),
  visitor_token: expect.stringMatching(/^[\w-]+$/),
};
const NOBODY = { name: null, email: null, user_id: null, verified: false };

test('a page gets what it shows of a chatbot, and not who may show it', async () => {
  const form = must(await api.post<TicketForm>('/ticket-forms', { title: 'Person' }));
  const fields = {
    greeting: 'Hello!',
    suggestions: ['Why?', 'How?'],
    colour: '#AABBCC',
    ticket_form_id: form.public_id,
  };
  const { at, bot, visitor } = await chatbot(fields);
  expect(bot).toMatchObject({ ...fields, colour: '#aabbcc', ticket_form_id: form.id, visitor_messages_per_day: null });
  const shown = { public_id: bot.public_id, title: 'Help', greeting: 'Hello!', suggestions: ['Why?', 'How?'] };
  expectData(await visitor().send('GET', ''), { ...shown, colour: '#aabbcc', ticket_form: form.public_id });
  must(await api.del(`/ticket-form/${form.id}`));
  expectData(await visitor().send('GET', ''), { ...shown, colour: '#aabbcc', ticket_form: null });
  const none = { greeting: null, suggestions: null, colour: null, ticket_form_id: null };
  expectData(await api.patch(at, { ...none, visitor_messages_per_day: 7 }), {
    ...bot,
    ...{ greeting: null, suggestions: [], colour: null, ticket_form_id: null, visitor_messages_per_day: 7 },
  });
  expectData(await visitor().send('GET', ''), {
    ...{ public_id: bot.public_id, title: 'Help', greeting: null, suggestions: [], colour: null, ticket_form: null },
  });
});

test('the snippet and the page name the chatbot by its public id', async () => {
  const { at, bot } = await chatbot();
  const { snippet, page } = must(await api.get<{ snippet: string; page: string }>(`${at}/embed`));
  expect(snippet).toMatch(
    new RegExp(`^<script async src="https?://[^"]+/widget\\.js" data-chatbot="${bot.public_id}"></script>$`),
  );
  expect(page).toMatch(new RegExp(`^https?://.+/chat/${bot.public_id}$`));
});

test('a conversation goes on with the token of its last answer, and both sides see it', async () => {
  const { visitor, chat, chats } = await chatbot();
  const ann = visitor();
  const first = expectData(await ann.ask(QUESTION), REPLY);
  const second = expectData(await ann.ask(QUESTION), { ...REPLY, id: first.id });
  const messages = [QUESTION, first, QUESTION, second].map((said) =>
    typeof said === 'string'
      ? { id: UUID, role: 'user', message: said, sources: [], confidence: null, vote: null, created_at: TIME }
      : {
          id: said.message_id,
          role: 'assistant',
          message: said.message,
          sources: said.sources,
          confidence: said.confidence,
          vote: null,
          created_at: TIME,
        },
  );
  expectData(await ann.mine(), { id: first.id, visitor: NOBODY, conversation: messages });
  const owners = {
    id: first.id,
    session_id: UUID,
    created_at: TIME,
    updated_at: TIME,
    visitor: NOBODY,
    votes: [],
  };
  expect((await chats()).items).toEqual([owners]);
  expect(await chat(first.id)).toEqual({
    ...owners,
    conversation: messages.map(({ role, message }) => ({ role, message })),
  });
  const other = await visitor().told(QUESTION);
  expect(other.id).not.toBe(first.id);
  expect(JSON.stringify(must(await ann.mine()))).not.toContain(other.message_id);
});

test('a message is 1 to 10,000 characters', async () => {
  const { visitor, chats } = await chatbot();
  for (const message of ['', ' ', undefined, null, 7, 'x'.repeat(10_001)])
    expectRefused(await visitor().send('POST', '/reply', { body: { message } }), 400, 'message');
  expect((await chats()).total).toBe(0);
});

test('a first message that is repeated with its key is answered once; a key that can be guessed is refused', async () => {
  const { visitor, chats } = await chatbot();
  const headers = { 'Idempotency-Key': randomUUID() };
  const [first, second] = [await visitor().ask(QUESTION, headers), await visitor().ask(QUESTION, headers)];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  expect((await chats()).total).toBe(1);
  expectRefused(await visitor().ask('Else?', headers), 409, 'Idempotency-Key');
  for (const key of ['1', 'x'.repeat(21), 'é'.repeat(30), 'x'.repeat(256)])
    expectRefused(await visitor().ask(QUESTION, { 'Idempotency-Key': key }), 400, 'Idempotency-Key');
});

test('the same key of another visitor is another request', async () => {
  const { visitor, chats } = await chatbot();
  const [ann, bob] = [visitor(), visitor()];
  const [one, two] = [await ann.told(QUESTION), await bob.told(QUESTION)];
  const headers = { 'Idempotency-Key': '1' };
  const answers: VisitorReply[] = [];
  for (const person of [ann, bob, ann]) answers.push(must(await person.ask('Is it open?', headers)));
  expect(answers.map(({ id }) => id)).toEqual([one.id, two.id, one.id]);
  expect(answers[2]).toEqual(answers[0]);
  expect((await chats()).total).toBe(2);
});

describe('a vote', () => {
  test('on an answer replaces the one before, and the owner sees and finds it', async () => {
    const { visitor, chats, chat } = await chatbot();
    const ann = visitor();
    const { id, message_id } = await ann.told(QUESTION);
    await visitor().told(QUESTION);
    expectDone(await ann.vote(message_id, 'up'));
    expect((await chats('?vote=up')).items.map((one) => one.id)).toEqual([id]);
    expectDone(await ann.vote(message_id, 'down', 'Too short.'));
    expect(await chats('?vote=up')).toMatchObject({ items: [], total: 0 });
    const votes = [{ message_id, vote: 'down', reason: 'Too short.', at: TIME }];
    expect(await chats('?vote=down')).toMatchObject({ items: [{ id, votes }], total: 1 });
    expect((await chat(id)).votes).toEqual(votes);
    expect(must(await ann.mine()).conversation[1]).toMatchObject({ id: message_id, vote: 'down' });
  });

  test('is up or down, with a reason of at most 500 characters', async () => {
    const ann = (await chatbot()).visitor();
    const { message_id } = await ann.told(QUESTION);
    for (const vote of ['left', '', 'UP']) expectRefused(await ann.vote(message_id, vote), 400, 'vote');
    expectRefused(await ann.vote(message_id, 'up', 'x'.repeat(501)), 400, 'reason');
    expectDone(await ann.vote(message_id, 'up', 'é'.repeat(500)));
  });
});

describe('an identity', () => {
  test('that a visitor gives is shown as unverified, and replaced by the next one', async () => {
    const { visitor, chat, chats } = await chatbot();
    const ann = visitor();
    must(await ann.identify({ name: 'Ann', email: 'ann@example.com', user_id: 'u1' }));
    expectData(await ann.mine(), {
      id: null,
      visitor: { name: 'Ann', email: 'ann@example.com', user_id: 'u1', verified: false },
      conversation: [],
    });
    expect((await chats()).total).toBe(0);
    const { id } = await ann.told(QUESTION);
    expect((await chat(id)).visitor).toMatchObject({ name: 'Ann', user_id: 'u1', verified: false });
    must(await ann.identify({ name: 'Anna' }));
    expect((await chat(id)).visitor).toEqual({ ...NOBODY, name: 'Anna' });
  });

  test('that the page vouches for is verified; the list finds such chats', async () => {
    const { bot, visitor, chat, chats, secret } = await chatbot();
    const key = await secret();
    const [ann, bob] = [visitor(), visitor()];
    must(await ann.identify(vouched(key, { user_id: 'u1', name: 'Ann', email: 'ann@example.com' })));
    const { id } = await ann.told(QUESTION);
    expect((await chat(id)).visitor).toEqual({ name: 'Ann', email: 'ann@example.com', user_id: 'u1', verified: true });
    const other = await bob.told(QUESTION);
    await a.ask(bot, QUESTION);
    expect((await chats('?verified=true')).items.map((one) => one.id)).toEqual([id]);
    expect((await chats('?verified=false')).items.map((one) => one.id)).toEqual([other.id]);
    must(await bob.identify(vouched(key, { user_id: 'u2' })));
    expect(await chats('?verified=true')).toMatchObject({ total: 2 });
    expectRefused(await bob.identify({ name: 'Eve' }), 400, 'vouched');
    expect((await chat(other.id)).visitor).toEqual({ ...NOBODY, user_id: 'u2', verified: true });
  });

  test('that is forged, changed, expired, of another chatbot or of an earlier secret is 401', async () => {
    const { visitor, secret, chats } = await chatbot();
    expectRefused(await visitor().identify(vouched('', { user_id: 'u1' })), 401);
    const first = await secret();
    const good = vouched(first, { user_id: 'u1', name: 'Ann' });
    const now = Math.floor(Date.now() / 1000);
    const forged = [
      { ...good, user_id: 'u2' },
      { ...good, name: 'Eve' },
      { ...good, email: 'eve@example.com' },
      { ...good, expires: good.expires! + 1 },
      { ...good, signature: '0'.repeat(64) },
      vouched(first, { user_id: 'u1', expires: now - 1 }),
      vouched(await (await chatbot()).secret(), { user_id: 'u1' }),
    ];
    for (const one of forged) expectRefused(await visitor().identify(one), 401);
    expectRefused(
      await visitor().identify(vouched(first, { user_id: 'u1', expires: now + 2 * 24 * 3600 })),
      400,
      'expires',
    );
    must(await visitor().identify(good));
    await secret();
    expectRefused(await visitor().identify(good), 401);
    expect((await chats()).total).toBe(0);
  });

  test('of another user begins a conversation of its own, and shows nothing of the one before', async () => {
    const { visitor, secret } = await chatbot();
    const key = await secret();
    const person = visitor();
    must(await person.identify(vouched(key, { user_id: 'u1' })));
    const { id } = await person.told(QUESTION);
    must(await person.identify(vouched(key, { user_id: 'u2' })));
    expectData(await person.mine(), {
      id: null,
      visitor: { ...NOBODY, user_id: 'u2', verified: true },
      conversation: [],
    });
    expect((await person.told(QUESTION)).id).not.toBe(id);
  });

  test('that is replayed by another visitor shows them nothing of the conversations of that user', async () => {
    const { visitor, secret } = await chatbot();
    const good = vouched(await secret(), { user_id: 'u1' });
    const [ann, eve] = [visitor(), visitor()];
    must(await ann.identify(good));
    await ann.told(QUESTION);
    must(await eve.identify(good));
    expect(must(await eve.mine()).conversation).toEqual([]);
  });

  test('has fields of the right form', async () => {
    const { visitor } = await chatbot();
    const signature = '0'.repeat(64);
    const wrong: [string, object][] = [
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(201) }],
      ['name', { name: 'a\nb' }],
      ['email', { email: 'nobody' }],
      ['user_id', { user_id: 7 }],
      ['user_id', { signature, expires: 7 }],
      ['expires', { signature, user_id: 'u1' }],
      ['expires', { signature, user_id: 'u1', expires: 'soon' }],
      ['signature', { signature: 'x', user_id: 'u1', expires: 7 }],
    ];
    for (const [field, identity] of wrong) expectRefused(await visitor().identify(identity), 400, field);
  });

  test('secret is shown to the key that made it only, again for the same request', async () => {
    const { at } = await chatbot();
    const headers = { 'Idempotency-Key': randomUUID() };
    const made = must(await api.post<{ secret: string }>(`${at}/identity-secret`, undefined, headers));
    expect(made.secret).toMatch(/^[\w-]{32,}$/);
    expectData(await api.post(`${at}/identity-secret`, undefined, headers), made);
    expect((await api.get(at)).text).not.toContain(made.secret);
    expectRefused(await api.post(`/chatbot/${theirs.ids.chatbot}/identity-secret`), 403);
  });
});

describe('a block', () => {
  test('of a visitor refuses everything of theirs, also in a new conversation, and nothing is stored', async () => {
    const { at, visitor, chats, chat } = await chatbot();
    const eve = visitor();
    must(await eve.identify({ name: 'Eve' }));
    const before = eve.token()!;
    const { id, message_id } = await eve.told(QUESTION);
    const second = visitor(before);
    await second.told(QUESTION);
    must(await api.put(`${at}/chats/${id}/block`));
    const stored = [await chats(), await chat(id)];
    for (const refused of [
      await eve.ask(QUESTION),
      await eve.mine(),
      await eve.vote(message_id, 'up'),
      await eve.identify({ name: 'Ann' }),
      await second.ask(QUESTION),
      await visitor(before).ask(QUESTION),
    ])
      expectRefused(refused, 403, 'blocked');
    expect([await chats(), await chat(id)]).toEqual(stored);
    must(await api.del(`${at}/chats/${id}/block`));
    await eve.told(QUESTION);
    await second.told(QUESTION);
  });

  test('of a verified visitor holds for the user, with whatever token', async () => {
    const { at, visitor, secret } = await chatbot();
    const good = vouched(await secret(), { user_id: 'u1' });
    const [eve, again, bystander] = [visitor(), visitor(), visitor()];
    must(await eve.identify(good));
    const { id } = await eve.told(QUESTION);
    must(await api.put(`${at}/chats/${id}/block`));
    expectRefused(await eve.ask(QUESTION), 403, 'blocked');
    expectRefused(await again.identify(good), 403, 'blocked');
    await bystander.told(QUESTION);
  });
});

test('the chatbot takes as many messages a day as it says', async () => {
  const { visitor, chats } = await chatbot({ visitor_messages_per_day: 2 });
  for (let i = 0; i < 2; i++) await visitor().told(QUESTION);
  const refused = await visitor().ask(QUESTION);
  expectRefused(refused, 429, '2 messages a day');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await chats()).total).toBe(2);
});

test('chats are filtered by votes and verified visitors in one way only', async () => {
  const { at } = await chatbot();
  for (const wrong of ['vote=left', 'vote=', 'vote=up&vote=down', 'vote=UP'])
    expectRefused(await api.get(`${at}/chats?${wrong}`), 400, 'vote');
  for (const wrong of ['verified=yes', 'verified=', 'verified=true&verified=true'])
    expectRefused(await api.get(`${at}/chats?${wrong}`), 400, 'verified');
});
