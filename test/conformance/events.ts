/** The feed of events: that every operation which changes something has one, and how it is read. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { ApiKey, Chatbot, EmailInbox, KnowledgeItem, NewDocument, Page, TicketForm } from '../e2e/resources.ts';
import { publicApi, visitorOf } from '../e2e/visitor.ts';
import { expectFields, expectRefused, TIME } from './check.ts';
import { FILES } from './files.ts';
import { a, b, baseUrl, scoped, seed } from './given.ts';
import { FORM_OPERATIONS, OPERATIONS, shapeOf, unique, VISITOR_OPERATIONS } from './operations.ts';
import { opened } from './seed.ts';

interface FeedEvent {
  id: string;
  number: number;
  type: string;
  version: number;
  resource_id: string;
  timestamp: string;
  data: Record<string, unknown>;
}
type Feed = Page<FeedEvent>;

const { api } = a;
const feed = async (query: string, from = api) => must(await from.get<Feed>(`/events?${query}`));

/** Reads to the end; returns what there was, and where to go on. */
async function readOn(cursor?: string, from = api): Promise<{ items: FeedEvent[]; cursor: string }> {
  const items: FeedEvent[] = [];
  for (let at = cursor; ; ) {
    const page = await feed(`limit=100${at === undefined ? '' : `&next_cursor=${at}`}`, from);
    items.push(...page.items);
    at = page.next_cursor!;
    if (!page.has_more) return { items, cursor: at };
  }
}

/** Events of each operation; none for those that change nothing that has events. */
const EVENTS: Record<string, readonly string[]> = {
  'POST /knowledge/website': ['knowledge.created'],
  'POST /knowledge/video': ['knowledge.created'],
  'POST /knowledge/document': ['knowledge.created'],
  'POST /knowledge/{}/finalize': ['knowledge.changed'],
  'POST /knowledge/faq': ['knowledge.created'],
  'POST /knowledge/{}/faq-item': ['knowledge.changed'],
  'DELETE /knowledge/{}': ['knowledge.deleted'],
  'DELETE /knowledge/{}/faq-item/{}': ['knowledge.changed'],
  'PUT /knowledge/{}/train': ['training.queued', 'training.finished'],
  'PATCH /knowledge/{}': ['knowledge.changed'],
  'POST /chatbot/{}/reply': ['chat.begun', 'message.received', 'answer.given'],
  'PUT /chatbot/{}/chats/{}/block': ['user.blocked'],
  'DELETE /chatbot/{}/chats/{}/block': ['user.unblocked'],
  'POST /api-keys': ['key.created'],
  'DELETE /api-key/{}': ['key.revoked'],
  'POST /public/v1/chatbots/{}/reply': ['chat.begun', 'message.received', 'answer.given'],
  'POST /public/v1/chatbots/{}/messages/{}/vote': ['message.voted'],
  'POST /public/v1/chatbots/{}/identify': ['visitor.identified'],
  'POST /public/v1/ticket-forms/{}/tickets': ['ticket.opened'],
  'POST /public/v1/tickets/{}/messages': ['message.received'],
  // Nobody has to act on a persona, and the key that made it has the answer.
  'POST /personas': [],
  'DELETE /persona/{}': [],
  ...Object.fromEntries(
    ['/chatbot', '/ticket-form', '/email-inbox'].flatMap((path) => [
      [`POST ${path === '/email-inbox' ? '/email-inboxes' : `${path}s`}`, ['assistant.created']],
      [`PATCH ${path}/{}`, ['assistant.changed']],
      [`DELETE ${path}/{}`, ['assistant.deleted']],
      [`PUT ${path}/{}/knowledge`, ['assistant.changed']],
      [`DELETE ${path}/{}/knowledge`, ['assistant.changed']],
    ]),
  ),
  'POST /chatbot/{}/identity-secret': ['assistant.changed'],
  'DELETE /ticket-form/{}/tickets/{}/link': [],
  ...Object.fromEntries(
    ['/ticket-form/{}/tickets/{}', '/email-inbox/{}/emails/{}'].flatMap((path) => [
      [`PUT ${path}`, ['status.changed', 'priority.changed']],
      [`PUT ${path}/block`, ['user.blocked']],
      [`DELETE ${path}/block`, ['user.unblocked']],
      [`POST ${path}/reply`, ['message.written']],
      [`POST ${path}/draft/send`, ['message.written']],
      // What the owner does with a draft, or with the AI, is news for nobody else.
      [`PUT ${path}/draft`, []],
      [`DELETE ${path}/draft`, []],
      [`PUT ${path}/ai`, []],
    ]),
  ),
};

const ALL = [...OPERATIONS, ...VISITOR_OPERATIONS, ...FORM_OPERATIONS].filter(({ method }) => method !== 'GET');
const nameOf = (method: string, path: string) => `${method} ${shapeOf(path)}`;

test('it is known of every operation that changes something which events it has', () => {
  const names = ALL.map(({ method, path }) => nameOf(method, path)).filter((name) => !name.includes('/webhook'));
  expect(Object.keys(EVENTS).sort()).toEqual([...new Set(names)].sort());
});

const QUESTION = 'Which leaves make green tea?';

describe('every operation that changes something', () => {
  const done = new Set<string>();
  let heard: FeedEvent[] = [];
  const wanted: { operation: string; type: string; about: string }[] = [];

  /** Does something, which will have its events about the resource. */
  async function act<T>(method: string, path: string, about: (made: T) => string, run: () => Promise<T>): Promise<T> {
    const operation = nameOf(method, path);
    const made = await run();
    done.add(operation);
    for (const type of EVENTS[operation]!) wanted.push({ operation, type, about: about(made) });
    return made;
  }

  /** The same for a request of the API; `path` has ids in braces. */
  const send = <T>(method: string, path: string, body?: unknown, about?: string): Promise<T> => {
    const real = path.replaceAll(/[{}]/g, '');
    const own = [...path.matchAll(/\{([^}]+)\}/g)].at(-1)?.[1];
    return act<T>(
      method,
      path,
      (made) => about ?? own ?? (made as { id: string }).id,
      async () => must(await api.request<T>(method, real, body === undefined ? {} : { body })) as T,
    );
  };

  async function withKnowledge(): Promise<string> {
    const faq = await send<{ id: string }>('POST', '/knowledge/faq', { title: 'Tea' });
    const path = `/knowledge/{${faq.id}}`;
    const add = (question: string) =>
      send<{ id: string }>(
        'POST',
        `${path}/faq-item`,
        { question, answer: 'Green tea is made of young leaves.' },
        faq.id,
      );
    await add(QUESTION);
    const spare = await add('Is it hot?');
    await send('DELETE', `${path}/faq-item/{${spare.id}}`, undefined, faq.id);
    await act(
      'PUT',
      `${path}/train`,
      () => faq.id,
      () => a.train(faq),
    );
    const website = await send<KnowledgeItem>('POST', '/knowledge/website', { website_url: 'https://example.com/' });
    await send('PATCH', `/knowledge/{${website.id}}`, { include: ['/docs/*'] });
    await send('DELETE', `/knowledge/{${website.id}}`);
    const video = { video_url: 'https://youtu.be/dQw4w9WgXcQ', video_type: 'YOUTUBE' };
    await send<KnowledgeItem>('POST', '/knowledge/video', video);
    const document = await send<NewDocument>('POST', '/knowledge/document', { file_type: 'text/plain' });
    expect((await fetch(document.upload_url, { method: 'PUT', body: FILES.text })).ok).toBe(true);
    await send('POST', `/knowledge/{${document.id}}/finalize`);
    return faq.id;
  }

  async function withAttached(path: string, faq: string): Promise<void> {
    await send('PUT', `${path}/knowledge`, { knowledge_id: faq });
    await send('DELETE', `${path}/knowledge`, { knowledge_id: faq });
    await send('PUT', `${path}/knowledge`, { knowledge_id: faq });
  }

  async function withChats(faq: string): Promise<void> {
    const chatbot = await send<Chatbot>('POST', '/chatbots', { title: 'Tea' });
    const path = `/chatbot/{${chatbot.id}}`;
    await withAttached(path, faq);
    await send('PATCH', path, { title: 'More tea' });
    await send('POST', `${path}/identity-secret`);
    const ask = () => a.ask(chatbot, QUESTION);
    const { id: chat } = await act('POST', `${path}/reply`, ({ id }: { id: string }) => id, ask);
    await act(
      'PUT',
      `${path}/chats/{}/block`,
      () => chat,
      async () => must(await api.put(`/chatbot/${chatbot.id}/chats/${chat}/block`)),
    );
    await act(
      'DELETE',
      `${path}/chats/{}/block`,
      () => chat,
      async () => must(await api.del(`/chatbot/${chatbot.id}/chats/${chat}/block`)),
    );
    const visitor = visitorOf(baseUrl, chatbot.public_id);
    const at = '/public/v1/chatbots/{}';
    const told = await act(
      'POST',
      `${at}/reply`,
      ({ id }: { id: string }) => id,
      () => visitor.told(QUESTION),
    );
    await act(
      'POST',
      `${at}/messages/{}/vote`,
      () => told.id,
      async () => must(await visitor.vote(told.message_id, 'up')),
    );
    await act(
      'POST',
      `${at}/identify`,
      () => told.id,
      async () => must(await visitor.identify({ name: 'Ann' })),
    );
    await send('DELETE', path);
  }

  async function withThread(parent: string, list: string, id: string): Promise<void> {
    const [path, at] = [`${parent}/${list}/{${id}}`, `${parent.replaceAll(/[{}]/g, '')}/${list}/${id}`];
    await send('PUT', path, { status: 'assigned', priority: 'high' });
    await send('POST', `${path}/reply`, { message: 'Thus.' });
    await send('PUT', `${path}/ai`, { on: false });
    await send('PUT', `${path}/block`);
    await send('DELETE', `${path}/block`);
    // The owner’s message was the last: there is nothing to answer.
    expectRefused(await api.post(`${at}/draft/send`), 404, 'draft');
    expectRefused(await api.put(`${at}/draft`, { message: 'x' }), 404, 'draft');
    await send('DELETE', `${path}/draft`);
    for (const operation of [nameOf('PUT', `${path}/draft`), nameOf('POST', `${path}/draft/send`)]) done.add(operation);
  }

  async function withTickets(faq: string): Promise<void> {
    const form = await send<TicketForm>('POST', '/ticket-forms', { title: 'Tea' });
    const path = `/ticket-form/{${form.id}}`;
    await withAttached(path, faq);
    await send('PATCH', path, { title: 'More tea' });
    const page = publicApi(baseUrl);
    const headers = { origin: new URL(baseUrl).origin };
    const open = async () => {
      const body = { email: 'ann@example.com', answers: [] };
      return must(
        await page.request<{ id: string; token: string }>('POST', `/public/v1/ticket-forms/${form.public_id}/tickets`, {
          ...{ body, headers },
        }),
      );
    };
    const ticket = await act('POST', '/public/v1/ticket-forms/{}/tickets', ({ id }: { id: string }) => id, open);
    await act(
      'POST',
      '/public/v1/tickets/{}/messages',
      () => ticket.id,
      async () =>
        must(
          await page.request('POST', `/public/v1/tickets/${ticket.token}/messages`, {
            body: { message: 'And?' },
            headers,
          }),
        ),
    );
    await withThread(path, 'tickets', ticket.id);
    await send('DELETE', `${path}/tickets/{${ticket.id}}/link`);
    await send('DELETE', path);
  }

  async function withEmails(faq: string): Promise<void> {
    const inbox = await send<EmailInbox>('POST', '/email-inboxes', { alias: unique(), title: 'Tea' });
    const path = `/email-inbox/{${inbox.id}}`;
    await withAttached(path, faq);
    await send('PATCH', path, { title: 'More tea' });
    const row = { kind: 'email' as const, parent: { id: inbox.id }, email: 'ann@example.com', name: 'Ann' };
    const [id = ''] = await opened(seed, [{ ...row, subject: 'Tea', message: 'Why?' }]);
    wanted.push({ operation: 'a mail', type: 'email.opened', about: id });
    await withThread(path, 'emails', id);
    await send('DELETE', path);
  }

  test('has its events, about its resource', async () => {
    const { cursor } = await readOn();
    const faq = await withKnowledge();
    await withChats(faq);
    await withTickets(faq);
    await withEmails(faq);
    const key = await send<ApiKey>('POST', '/api-keys', { name: 'heard', scopes: [] });
    await send('DELETE', `/api-key/{${key.id}}`);
    const persona = await send<{ id: string }>('POST', '/personas', { name: 'Ada' });
    await send('DELETE', `/persona/{${persona.id}}`);
    await send('DELETE', `/knowledge/{${faq}}`);
    expect(Object.keys(EVENTS).filter((operation) => !done.has(operation))).toEqual([]);

    const isAbout = ({ data, type }: FeedEvent, want: { type: string; about: string }) =>
      type === want.type && Object.values(data).includes(want.about);
    await until(async () => {
      ({ items: heard } = await readOn(cursor));
      return wanted.every((want) => heard.some((event) => isAbout(event, want)));
    }).catch(() => {});
    expect(wanted.filter((want) => !heard.some((event) => isAbout(event, want)))).toEqual([]);
  });

  test('has them without gaps, each once, with those of one resource in order', () => {
    const first = heard[0]!.number;
    expect(heard.map(({ number }) => number)).toEqual(heard.map((_, i) => first + i));
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
    for (const of of Map.groupBy(heard, ({ resource_id }) => resource_id).values()) {
      const times = of.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted());
    }
  });

  test('has events with these fields', () => {
    for (const event of heard)
      expectFields(event, {
        ...{ id: expect.any(String), number: expect.any(Number), type: expect.stringMatching(/^[a-z]+\.[a-z_]+$/) },
        ...{ version: 1, resource_id: expect.any(String), timestamp: TIME, data: expect.any(Object) },
      });
  });
});

describe('the feed', () => {
  test('begins with the oldest event, has a cursor at its end, too, and goes on from there', async () => {
    const first = await feed('limit=3');
    expectFields(first, { items: expect.any(Array), total: expect.any(Number), has_more: true }, ['next_cursor']);
    const [{ number: oldest }] = first.items as [FeedEvent];
    expect(first.items.map(({ number }) => number)).toEqual([oldest, oldest + 1, oldest + 2]);
    const second = await feed(`limit=2&next_cursor=${first.next_cursor}`);
    expect(second.items.map(({ number }) => number)).toEqual([oldest + 3, oldest + 4]);
    const { cursor } = await readOn();
    const end = await feed(`next_cursor=${cursor}`);
    expect(end.next_cursor).toEqual(expect.any(String));
    const { id } = must(await api.post<ApiKey>('/api-keys', { name: 'later', scopes: [] }));
    const later = await until(
      () => readOn(end.next_cursor),
      ({ items }) => items.some(({ data }) => data['key_id'] === id),
    );
    expect(later.items.map(({ type }) => type)).toContain('key.created');
  });

  test('has only what `types` names, in any order, and refuses names that there are not', async () => {
    const { items } = await feed('limit=100&types=key.created,chat.begun');
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['key.created', 'chat.begun']));
    const one = await feed('limit=1&types=key.created,chat.begun');
    const next = await feed(`limit=1&types=chat.begun&types=key.created&next_cursor=${one.next_cursor}`);
    expect([one, next].flatMap((page) => page.items.map(({ id }) => id))).toEqual(
      items.slice(0, 2).map(({ id }) => id),
    );
    expectRefused(await api.get('/events?types=chat.began'), 400, 'types', 'chat.begun');
    // A cursor is good for its own filter.
    expectRefused(await api.get(`/events?next_cursor=${one.next_cursor}`), 400, 'next_cursor');
  });

  test('is of the account, and for keys with ACCOUNT_WRITE', async () => {
    const [own, others] = [await readOn(), await readOn(undefined, b.api)];
    const ids = new Set(own.items.map(({ id }) => id));
    expect(others.items.filter(({ id }) => ids.has(id))).toEqual([]);
    expectRefused(await b.api.get(`/events?next_cursor=${own.cursor}`), 400, 'next_cursor');
    must(await scoped.ACCOUNT_WRITE.only.get('/events'));
    expectRefused(await scoped.ACCOUNT_WRITE.without.get('/events'), 403, 'ACCOUNT_WRITE');
  });
});
