import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { stubGateway } from '../testing/stub-gateway.ts';
import { createApi } from './api.ts';
import { createMemory } from './memory.ts';
import type { VisitState } from './store.ts';
import { createVisit } from './visit.ts';

const gateway = await stubGateway();
const { answer: ANSWER } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(gateway, { answer: ANSWER, beforeSentence: () => {} });
  gateway.refuse.clear();
  gateway.requests.length = 0;
  gateway.conversations.clear();
});

/** A browser's storage. */
function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  } as Storage;
}

let keys = 0;

/**
 * A page that shows the chat. Two with the same storage are two visits of one visitor. No pause takes time: `paused` is told how
 * many there were.
 */
function page(storage = createStorage(), paused: (times: number) => void = () => {}) {
  const events: [string, unknown][] = [];
  const states: VisitState[] = [];
  const pauses: number[] = [];
  const memory = createMemory('bot', () => storage);
  const visit = createVisit({
    api: createApi(gateway.base, 'bot', () => memory.token),
    memory,
    emit: (event, detail) => events.push([event, detail]),
    changed: (state) => states.push(state),
    newKey: () => `key-${keys++}`,
    pause: async (ms) => paused(pauses.push(ms)),
  });
  const last = () => visit.state().turns.at(-1);
  const settled = async (state: string) => {
    await until(
      async () => last()?.state,
      (now) => now === state,
    );
    return last()!;
  };
  return { visit, storage, memory, events, states, pauses, last, settled };
}

const asked = () => gateway.requests.filter(({ path }) => path.endsWith('/reply'));
const said = () => [...gateway.conversations.values()].map((messages) => messages.map(({ message }) => message));

test('nothing is stored before the visitor writes; then the token is, and the next visit shows the conversation', async () => {
  const first = page();
  await first.visit.load();
  expect([first.storage.length, gateway.requests.map(({ path }) => path)]).toEqual([0, ['/public/v1/chatbots/bot']]);
  first.visit.ask('When are you open?');
  await first.settled('answered');
  expect(JSON.parse(first.storage.getItem('parley:bot')!)).toEqual({ token: 'token-1' });

  const second = page(first.storage);
  await second.visit.load();
  expect(second.visit.state().turns).toMatchObject([
    { question: 'When are you open?', text: 'From nine to five. [1]', state: 'answered', confidence: 'high' },
  ]);
  second.visit.ask('And on Sundays?');
  await second.settled('answered');
  expect(said()).toEqual([
    ['When are you open?', 'From nine to five. [1]', 'And on Sundays?', 'From nine to five. [1]'],
  ]);
});

test('an answer is shown sentence by sentence, with its sources before their marks', async () => {
  const sources = [{ n: 1, title: 'Hours', url: null }];
  gateway.answer = { sentences: ['From nine. [1]', ' To five. [1]'], sources, confidence: 'low' };
  const { visit, states, events, settled } = page();
  await visit.load();
  visit.ask('When?');
  await settled('answered');
  const shown = states.flatMap(({ turns }) => turns.map(({ text, sources }) => [text, sources.length]));
  expect(new Set(shown.map((at) => JSON.stringify(at)))).toEqual(
    new Set(['["",0]', '["",1]', '["From nine. [1]",1]', '["From nine. [1] To five. [1]",1]']),
  );
  expect(events).toEqual([
    ['question', { message: 'When?' }],
    ['sentence', 'From nine. [1]'],
    ['sentence', ' To five. [1]'],
    ['answer', { message: 'From nine. [1] To five. [1]', sources, confidence: 'low' }],
  ]);
});

test('where the connection breaks, the same request is sent again by itself, and nothing is heard twice', async () => {
  gateway.answer = { ...ANSWER, sentences: ['One.', ' Two.'] };
  const { visit, events, pauses, last, settled } = page();
  gateway.beforeSentence = async (i, response) => {
    if (i === 0) return;
    await until(
      async () => last()!.text,
      (text) => text === 'One.',
    );
    gateway.beforeSentence = () => {};
    response.destroy();
  };
  await visit.load();
  visit.ask('When?');
  const { key, text } = await settled('answered');
  expect(text).toBe('One. Two.');
  expect(asked().map(({ headers }) => headers['idempotency-key'])).toEqual([key, key]);
  expect(said()).toEqual([['When?', 'One. Two.']]);
  expect(events.filter(([event]) => event === 'sentence' || event === 'error')).toEqual([
    ['sentence', 'One.'],
    ['sentence', ' Two.'],
  ]);
  expect(pauses).toEqual([1_000]);
});

test('a question whose answer is still being written for an earlier request waits for it', async () => {
  gateway.refuse.set('/reply', [409, 'Under way.']);
  const { visit, pauses, settled } = page(undefined, (times) => {
    if (times === 2) gateway.refuse.clear();
  });
  await visit.load();
  visit.ask('When?');
  expect((await settled('answered')).text).toBe('From nine to five. [1]');
  expect(pauses).toHaveLength(2);
});

test('a question that was stopped is not sent again', async () => {
  const { visit, settled, last } = page();
  await visit.load();
  visit.ask('First?');
  await settled('answered');
  gateway.beforeSentence = () => new Promise(() => {});
  visit.ask('Second?');
  await until(
    async () => asked().length,
    (count) => count === 2,
  );
  visit.stop(last()!.key);
  gateway.beforeSentence = () => {};
  visit.ask('Third?');
  await settled('answered');
  expect(asked().map(({ body }) => body.message)).toEqual(['First?', 'Second?', 'Third?']);
});

test('where the connection breaks again and again, the visitor may send the same request: one question, one answer', async () => {
  gateway.answer = { ...ANSWER, sentences: ['One.', ' Two.'] };
  const { visit, last, settled } = page();
  gateway.beforeSentence = async (i, response) => {
    // Repeated, all of it is one sentence.
    if (i === 0 && asked().length === 1) return;
    await until(
      async () => last()!.text,
      (text) => text === 'One.',
    );
    response.destroy();
  };
  await visit.load();
  visit.ask('When?');
  const broken = await settled('failed');
  expect([broken.text, broken.failure?.status]).toEqual(['One.', 0]);
  gateway.beforeSentence = () => {};
  visit.retry(broken.key);
  expect((await settled('answered')).text).toBe('One. Two.');
  expect(new Set(asked().map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([broken.key]));
  expect(said()).toEqual([['When?', 'One. Two.']]);
});

test('a page that is left in the middle of the first answer shows it when it is opened again', async () => {
  let release = () => {};
  gateway.beforeSentence = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const first = page();
  await first.visit.load();
  first.visit.ask('When?');
  await until(
    async () => asked().length,
    (count) => count === 1,
  );

  const second = page(first.storage);
  const loading = second.visit.load();
  await until(
    async () => asked().length,
    (count) => count === 2,
  );
  gateway.beforeSentence = () => {};
  release();
  await loading;
  expect(await second.settled('answered')).toMatchObject({ question: 'When?', text: 'From nine to five. [1]' });
  expect(said()).toEqual([['When?', 'From nine to five. [1]']]);
  expect(second.memory.asking).toBeUndefined();
});

test('Stop shows no more, and the next question continues the conversation', async () => {
  let release = () => {};
  gateway.answer = { ...ANSWER, sentences: ['One.', ' Two.'] };
  gateway.beforeSentence = (i) => (i === 0 ? undefined : new Promise((resolve) => (release = resolve)));
  const { visit, last, settled } = page();
  await visit.load();
  visit.ask('First?');
  await until(
    async () => last()!.text,
    (text) => text === 'One.',
  );
  visit.stop(last()!.key);
  visit.ask('Second?');
  gateway.beforeSentence = () => {};
  release();
  await settled('answered');
  expect(visit.state().turns.map(({ text, state }) => [text, state])).toEqual([
    ['One.', 'stopped'],
    ['One. Two.', 'answered'],
  ]);
  expect(said()).toEqual([['First?', 'One. Two.', 'Second?', 'One. Two.']]);
});

test('once there is a token, Stop closes the connection', async () => {
  const { visit, last, settled } = page();
  await visit.load();
  visit.ask('First?');
  await settled('answered');
  const closed = new Promise<void>((resolve) => {
    gateway.beforeSentence = (_, response) =>
      new Promise((go) => {
        response.once('close', resolve).once('close', go);
      });
  });
  visit.ask('Second?');
  await until(
    async () => asked().length,
    (count) => count === 2,
  );
  visit.stop(last()!.key);
  await closed;
});

test('an expired token begins a new conversation, and the question is asked in it', async () => {
  const { visit, memory, settled } = page();
  memory.token = 'token-of-last-year';
  await visit.load();
  expect(visit.state()).toMatchObject({ expired: true, failure: undefined, turns: [] });
  memory.token = 'token-of-last-year';
  visit.ask('When?');
  await settled('answered');
  expect(visit.state()).toMatchObject({ expired: true });
  expect(memory.token).toBe('token-1');
  // A refusal may be kept for its key.
  expect(new Set(asked().map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
});

test.each([
  [0, 'destroyed', true],
  [429, 'Too many.', true],
  [503, 'Unavailable.', true],
  [400, 'This conversation is too long.', false],
])('a question that fails with %d (%s) can be retried: %s', async (status, message, retries) => {
  if (status === 0) gateway.beforeSentence = (_, response) => void response.destroy();
  else gateway.refuse.set('/reply', [status, message]);
  const { visit, events, settled, memory } = page();
  await visit.load();
  visit.ask('When?');
  const { key, failure } = await settled('failed');
  expect(failure!.status).toBe(status);
  expect(events.at(-1)).toMatchObject(['error', { status }]);
  expect(memory.asking?.key).toBe(retries ? key : undefined);
});

test('a blocked visitor is told so, and keeps the token', async () => {
  const { visit, settled, memory } = page();
  await visit.load();
  visit.ask('First?');
  await settled('answered');
  gateway.refuse.set('/reply', [403, 'You are blocked.']);
  visit.ask('Second?');
  await settled('failed');
  expect([visit.state().blocked, memory.token]).toEqual([true, 'token-1']);
});

test('a new conversation has a token of its own', async () => {
  const { visit, settled, events } = page();
  await visit.load();
  visit.ask('First?');
  await settled('answered');
  visit.newConversation();
  expect(visit.state().turns).toEqual([]);
  visit.ask('Second?');
  await settled('answered');
  expect(said()).toHaveLength(2);
  expect(events).toContainEqual(['conversation', undefined]);
});

test('what fails to load can be loaded again', async () => {
  gateway.refuse.set('/chatbots/bot', [503, 'Unavailable.']);
  const { visit } = page();
  await visit.load();
  expect(visit.state()).toMatchObject({ chatbot: undefined, failure: { status: 503 } });
  gateway.refuse.clear();
  await visit.load();
  expect(visit.state()).toMatchObject({ chatbot: { title: 'Help' }, failure: undefined });
});

const vouched = (user_id: string) => ({ user_id, name: 'Ada', expires: 1, signature: 'ab' });

test('who is vouched for is introduced before the first message, others after it', async () => {
  const known = page();
  known.visit.identify(vouched('ada'));
  await known.visit.load();
  known.visit.ask('When?');
  await known.settled('answered');
  expect(known.storage.getItem('parley:bot:ada')).toContain('token-1');
  expect(gateway.requests.map(({ path }) => path.split('/').pop())).toEqual(['bot', 'identify', 'mine', 'reply']);

  gateway.requests.length = 0;
  const other = page();
  other.visit.identify({ name: 'Ben', email: 'ben@example.com' });
  await other.visit.load();
  other.visit.ask('When?');
  await other.settled('answered');
  await until(
    async () => gateway.requests.length,
    (count) => count === 3,
  );
  expect(gateway.requests.map(({ path }) => path.split('/').pop())).toEqual(['bot', 'reply', 'identify']);
});

test('each user of a shared browser sees their own conversation; what began anonymously is joined', async () => {
  const { visit, settled, storage } = page();
  await visit.load();
  visit.ask('Anonymous?');
  await settled('answered');
  await visit.identify(vouched('ada'));
  expect(visit.state().turns).toHaveLength(1);
  expect([storage.getItem('parley:bot'), storage.getItem('parley:bot:ada')]).toEqual([null, '{"token":"token-1"}']);
  await visit.identify(vouched('ben'));
  expect(visit.state().turns).toEqual([]);
  await visit.identify(vouched('ada'));
  expect(visit.state().turns).toMatchObject([{ question: 'Anonymous?' }]);
});

test('a vouching that is refused is reported, and the chat goes on', async () => {
  gateway.refuse.set('/identify', [401, 'The signature is wrong.']);
  const { visit, events, settled } = page();
  visit.identify(vouched('ada'));
  await visit.load();
  visit.ask('When?');
  await settled('answered');
  expect(events.filter(([event]) => event === 'error')).toEqual([
    ['error', { status: 401, message: 'The signature is wrong.' }],
  ]);
});

test('a vote names the answer; one that is refused is taken back', async () => {
  const { visit, last, settled } = page();
  await visit.load();
  visit.ask('When?');
  const { key, id } = await settled('answered');
  await visit.vote(key, 'down', 'Too short.');
  expect(gateway.requests.at(-1)).toMatchObject({
    path: `/public/v1/chatbots/bot/messages/${id}/vote`,
    body: { vote: 'down', reason: 'Too short.' },
  });
  gateway.refuse.set('/vote', [503, 'Unavailable.']);
  await visit.vote(key, 'up');
  expect(last()!.vote).toBe('down');
});

test('votes on answers arrive in the order in which they were given', async () => {
  const { visit, last, settled } = page();
  await visit.load();
  visit.ask('When?');
  const { key } = await settled('answered');
  const seen: object[] = [];
  const held: (() => void)[] = [];
  const { serve } = gateway;
  gateway.serve = ({ path, body }, response) => {
    if (!path.endsWith('/vote')) return false;
    seen.push(body);
    held.push(() => response.end('{"success":true,"data":{}}'));
    return true;
  };
  const votes = [visit.vote(key, 'down'), visit.vote(key, 'down', 'Too short.')];
  await until(
    async () => held.length,
    (count) => count === 1,
  );
  expect(seen).toEqual([{ vote: 'down' }]);
  held[0]!();
  await until(
    async () => held.length,
    (count) => count === 2,
  );
  held[1]!();
  expect(await Promise.all(votes)).toEqual([true, true]);
  expect(seen).toEqual([{ vote: 'down' }, { vote: 'down', reason: 'Too short.' }]);
  expect(last()!.vote).toBe('down');
  gateway.serve = serve;
});

test('where storage is refused, the conversation lives as long as the page', async () => {
  const { visit, settled } = page(
    new Proxy({} as Storage, {
      get: () => {
        throw new Error('refused');
      },
    }),
  );
  await visit.load();
  visit.ask('First?');
  await settled('answered');
  visit.ask('Second?');
  await settled('answered');
  expect(said()).toHaveLength(1);
});
