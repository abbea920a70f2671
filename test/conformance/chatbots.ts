import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Chat, Chatbot, Evidence, Page, Reply } from '../e2e/resources.ts';
import { expectData, expectRefused, PUBLIC_ID, pageOf, TIME, UUID } from './check.ts';
import { filtersByDate } from './filters.ts';
import { a, b, mine, seed, storesNothing, theirs } from './given.ts';
import { ANSWER, QUESTION } from './populated.ts';

const { api } = a;
const { chatbot, ids } = mine;

const shape = (title: string, allowed_domains: string[] = []) => ({
  id: UUID,
  public_id: PUBLIC_ID,
  title,
  allowed_domains,
});
const create = (body: object) => api.post<Chatbot>('/chatbots', body);

describe('a chatbot', () => {
  test('has the right fields when created, read by each id, listed, changed and deleted', async () => {
    const made = expectData(await create({ title: ' Shop ' }), shape(' Shop '));
    expect(made.public_id).toMatch(/^[\w-]+$/);
    for (const id of [made.id, made.id.toUpperCase(), made.public_id])
      expectData(await api.get(`/chatbot/${id}`), made);
    expect(must(await api.get<Chatbot[]>('/chatbots'))[0]).toEqual(made);
    const changed = { ...made, title: 'Store', allowed_domains: ['example.com'] };
    expectData(
      await api.patch(`/chatbot/${made.public_id}`, { title: 'Store', allowed_domains: ['Example.com'] }),
      changed,
    );
    expectData(await api.patch(`/chatbot/${made.id}`, {}), changed);
    expectData(await api.patch(`/chatbot/${made.id}`, { flavour: 'mint', id: randomUUID() }), changed);
    expectData(await api.get(`/chatbot/${made.id}`), changed);
    expectData(await api.patch(`/chatbot/${made.id}`, { allowed_domains: null }), { ...changed, allowed_domains: [] });
    expectData(await api.del(`/chatbot/${made.public_id}`), { ...changed, allowed_domains: [] });
    for (const id of [made.id, made.public_id]) expectRefused(await api.get(`/chatbot/${id}`), 404);
    expectRefused(await api.del(`/chatbot/${made.id}`), 404);
    expect(must(await api.get<Chatbot[]>('/chatbots')).map(({ id }) => id)).not.toContain(made.id);
  });

  test('that is deleted takes its conversations along', async () => {
    const made = await a.chatbot();
    const { id, session_id } = await a.ask(made, 'Hello?');
    must(await api.del(`/chatbot/${made.id}`));
    expectRefused(await api.get(`/chatbot/${made.id}/chats`), 404);
    expectRefused(await api.get(`/chatbot/${made.id}/chats/${id}`), 404);
    expectRefused(await api.post(`/chatbot/${made.id}/reply`, { message: 'Hello?', session_id }), 404);
  });
});

describe('allowed domains', () => {
  test('are lower-cased hosts, with a port or a wildcard', async () => {
    const domains = [
      'Example.com',
      '*.Example.org',
      'localhost',
      'localhost:3000',
      '127.0.0.1:8080',
      '10.0.0.7',
      'a-b.example:1',
    ];
    const lowered = domains.map((domain) => domain.toLowerCase());
    expectData(await create({ title: 'T', allowed_domains: domains }), shape('T', lowered));
    expectData(await create({ title: 'T', allowed_domains: null }), shape('T'));
    expectData(await create({ title: 'T', allowed_domains: [] }), shape('T'));
  });

  storesNothing(['/chatbots', '/ticket-forms'], () => {
    test.each([
      'https://example.com',
      'http://localhost:3000',
      '//example.com',
      'example.com/path',
      'example.com/',
      'a b',
      '',
      ' ',
      '*',
      '*.',
      'example.com:',
      'example.com:99999',
      'example.com:x',
      'a.*.com',
      '*.*.com',
      'user@example.com',
      'example.com?x',
      'example.com#x',
    ])('%p is refused', async (domain) => {
      expectRefused(await create({ title: 'T', allowed_domains: [domain] }), 400, 'allowed_domains');
      expectRefused(await api.patch(`/chatbot/${chatbot.id}`, { allowed_domains: [domain] }), 400, 'allowed_domains');
      expectRefused(await api.post('/ticket-forms', { title: 'T', allowed_domains: [domain] }), 400, 'allowed_domains');
      const at = `/ticket-form/${ids.form}`;
      expectRefused(await api.patch(at, { allowed_domains: [domain] }), 400, 'allowed_domains');
    });

    test.each([['example.com'], [[7]], [{}], [true], [[null]]])(
      '%j instead of a list of texts is refused',
      async (domains) => {
        expectRefused(await create({ title: 'T', allowed_domains: domains }), 400, 'allowed_domains');
        expectRefused(await api.patch(`/chatbot/${chatbot.id}`, { allowed_domains: domains }), 400, 'allowed_domains');
      },
    );
  });
});

describe('a reply', () => {
  const source = { n: 1, title: expect.any(String), url: null };
  const reply = {
    id: UUID,
    session_id: expect.any(String),
    message: expect.stringContaining('[1]'),
    sources: [source],
    confidence: expect.stringMatching(/^(high|low)$/),
  };

  test('has the ids of chat and session, the message with its marks and sources, and continues a session', async () => {
    const bot = await a.chatbot({ id: ids.faq });
    const first = expectData(
      await api.post<Reply>(`/chatbot/${bot.public_id}/reply`, { message: QUESTION, session_id: null }),
      reply,
    );
    const again = { message: QUESTION, session_id: first.session_id };
    expectData(await api.post(`/chatbot/${bot.id}/reply`, again), {
      ...reply,
      id: first.id,
      session_id: first.session_id,
    });
    const other = must(await api.post<Reply>(`/chatbot/${bot.id}/reply`, { message: QUESTION }));
    expect(other.session_id).not.toBe(first.session_id);
    expect(other.id).not.toBe(first.id);
    const chat = must(await api.get<Chat>(`/chatbot/${bot.id}/chats/${first.id}`));
    expect(chat.conversation).toEqual([
      { role: 'user', message: QUESTION },
      { role: 'assistant', message: first.message },
      { role: 'user', message: QUESTION },
      { role: 'assistant', message: expect.stringContaining('nine') },
    ]);
    expect(chat.session_id).toBe(first.session_id);
    expect(chat.updated_at >= chat.created_at).toBe(true);
  });

  test('ends with a list of its sources, and without evidence cites none', async () => {
    const { message, sources } = await a.ask(chatbot, QUESTION);
    expect(message).toContain(ANSWER);
    expect(message).toMatch(/\n\n[^\n]*Sources[^\n]*\n\[1\] /);
    expect(sources.length).toBeGreaterThan(0);
    const bot = await a.chatbot();
    const none = await a.ask(bot, QUESTION);
    expect(none.sources).toEqual([]);
    expect(none.confidence).toBe(null);
    expect(none.message).not.toMatch(/\[\d\]/);
  });

  test('keeps a message as sent', async () => {
    const message = ' <b>Tea?</b>\n\t$where {{x}} 🙂 ';
    const { id } = await a.ask(chatbot, message);
    const { conversation } = must(await api.get<Chat>(`/chatbot/${chatbot.id}/chats/${id}`));
    expect(conversation[0]).toEqual({ role: 'user', message });
  });

  storesNothing([`/chatbot/${ids.chatbot}/chats`, `/chatbot/${ids.chatbot}/chats/${ids.chat}`], () => {
    test('to a session that is unknown, malformed or of another chatbot is a 404', async () => {
      const other = must(await b.api.get<Page<Chat>>(`/chatbot/${theirs.ids.chatbot}/chats`)).items[0]!;
      for (const session_id of [randomUUID(), 'nonsense', 'x y', theirs.session, other.session_id, 'x'.repeat(5_000)]) {
        const refused = await api.post(`/chatbot/${ids.chatbot}/reply`, { message: QUESTION, session_id });
        expectRefused(refused, 404, 'session');
      }
    });

    test('to a session id that is no text is a 400', async () => {
      for (const session_id of [7, true, {}, ['x']])
        expectRefused(await api.post(`/chatbot/${ids.chatbot}/reply`, { message: 'x', session_id }), 400, 'session_id');
    });
  });
});

describe('a chat', () => {
  const listed = {
    id: UUID,
    session_id: expect.any(String),
    created_at: TIME,
    updated_at: TIME,
    visitor: null,
    votes: [],
  };
  const at = `/chatbot/${chatbot.public_id}/chats`;

  test('has the right fields when listed, and its conversation when read', async () => {
    for (const item of pageOf(await api.get<Page<Chat>>(at)).items) expect(item).toEqual(listed);
    const turn = [
      { role: 'user', message: QUESTION },
      { role: 'assistant', message: expect.stringContaining('nine') },
    ];
    for (const id of [ids.chat, ids.chat.toUpperCase()])
      expectData(await api.get(`${at}/${id}`), {
        ...listed,
        id: ids.chat,
        session_id: mine.session,
        conversation: [...turn, ...turn],
      });
  });

  test('of another chatbot is a 404', async () => {
    const bot = await a.chatbot();
    for (const path of ['', '/evidence'])
      expectRefused(await api.get(`/chatbot/${bot.id}/chats/${ids.chat}${path}`), 404);
    for (const method of ['PUT', 'DELETE'])
      expectRefused(await api.request(method, `/chatbot/${bot.id}/chats/${ids.chat}/block`), 404);
  });

  describe('has a list that is filtered by date', () => filtersByDate(() => at));

  test('has a list that does not take a status', async () => {
    expect(must(await api.get<Page<Chat>>(`${at}?status=nonsense`)).total).toBeGreaterThan(0);
  });

  test('shows what its answers rested on', async () => {
    const { items } = pageOf(await api.get<Page<Evidence>>(`${at}/${ids.chat}/evidence`));
    expect(items.length).toBe(2);
    for (const item of items) {
      expect(item).toEqual({
        entry: expect.any(String),
        outcome: 'answered',
        confidence: expect.stringMatching(/^(high|low)$/),
        answerer: expect.stringMatching(/./),
        offered: expect.any(Array),
        cited: expect.arrayContaining([1]),
      });
      for (const offered of item.offered)
        expect(offered).toEqual({
          knowledge_id: UUID,
          title: expect.any(String),
          url: offered.url === null ? null : expect.any(String),
          score: expect.any(Number),
        });
      expect(item.offered.map(({ knowledge_id }) => knowledge_id)).toContain(ids.faq);
      for (const n of item.cited) expect(item.offered[n - 1]).toBeDefined();
    }
  });

  test('without evidence shows that outcome', async () => {
    const bot = await a.chatbot();
    const { id } = await a.ask(bot, 'Anything?');
    const { items } = pageOf(await api.get<Page<Evidence>>(`/chatbot/${bot.id}/chats/${id}/evidence`));
    const nothing = { outcome: 'no_evidence', confidence: null, offered: expect.any(Array), cited: [] };
    expect(items).toEqual([expect.objectContaining(nothing)]);
  });
});

describe('a blocked chat', () => {
  test('refuses further messages and stores none, until the block is lifted', async () => {
    const bot = await a.chatbot({ id: ids.faq });
    const { id, session_id } = await a.ask(bot, QUESTION);
    const at = `/chatbot/${bot.public_id}/chats/${id}`;
    const result = (status: string) => ({ items: [{ target: id, targetType: 'CHAT', status }], failed: [] });
    expectData(await api.del(`${at}/block`), result('LIFTED'));
    for (let i = 0; i < 2; i++) expectData(await api.put(`${at}/block`), result('ACTIVE'));
    const before = (await api.get(at)).body;
    expectRefused(await api.post(`/chatbot/${bot.id}/reply`, { message: QUESTION, session_id }), 403, 'block');
    expect((await api.get(at)).body).toEqual(before);
    // The owner's key has no visitor behind it, so only the session is blocked.
    expect((await a.ask(bot, QUESTION)).session_id).not.toBe(session_id);
    for (let i = 0; i < 2; i++) expectData(await api.del(`${at}/block`), result('LIFTED'));
    expect((await a.ask(bot, QUESTION, session_id)).id).toBe(id);
    expect(must(await api.get<Chat>(at)).conversation.length).toBe(4);
  });

  test('is not a ticket or an email', async () => {
    expect(
      await seed([{ kind: 'ticket', parent: { id: ids.chatbot }, email: 'x@example.com', message: 'x' }]),
    ).toMatchObject({
      ids: [],
      error: expect.any(String),
    });
  });
});
