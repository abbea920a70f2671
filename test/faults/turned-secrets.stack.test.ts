import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Parley, startParley } from '@parley/embedded';
import { createGateway, readConfig } from '@parley/gateway';
import { readEnv } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { isDeadTopic } from '../../packages/runtime/src/bus/bus.ts';
import { createAccount } from '../e2e/account.ts';
import { type Answer, keyed, must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';
import { publicApi, UNLIMITED, visitorOf, vouched } from '../e2e/visitor.ts';
import { firstKey } from '../e2e/world.ts';

const [OLD, NEW] = ['o'.repeat(64), 'n'.repeat(64)];
const QUESTION = 'Where is the key?';

/** The settings of secrets, one after the other, as docs/operations.md has them changed. */
const STEPS: Record<string, string>[] = [
  { PARLEY_SECRET: OLD },
  { PARLEY_SECRET: OLD, PARLEY_KEY_PEPPER: OLD, PARLEY_SECRET_NEXT: NEW },
  { PARLEY_SECRET: NEW, PARLEY_KEY_PEPPER: OLD, PARLEY_SECRET_PREVIOUS: OLD },
  { PARLEY_SECRET: NEW, PARLEY_KEY_PEPPER: OLD },
];

interface Generation {
  secrets: Record<string, string>;
  parley: Parley;
}

test('while requests run, the root secret is turned: no request fails, and no key, token, link or fact is refused', async () => {
  await using stops = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'parley-turned-'));
  stops.defer(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'objects'));
  const engine = await startEngine({ dataDir: dir });
  stops.defer(engine.stop);
  const mongo = await new MongoClient(engine.uri).connect();
  stops.defer(() => mongo.close());
  const hook = await receiver();
  stops.use(hook);

  const variables = { MONGODB_URI: engine.uri, EMBEDDINGS: 'none', LOG_LEVEL: 'error', OUTBOUND_ALLOW: '127.0.0.0/8' };
  async function start(step: number): Promise<Generation> {
    const { PARLEY_SECRET_NEXT = '', ...secrets } = STEPS[step]!;
    const dataDir = join(dir, String(step));
    await mkdir(dataDir);
    await symlink(join(dir, 'objects'), join(dataDir, 'objects'));
    const files = {
      PARLEY_SECRET: 'secret',
      PARLEY_SECRET_PREVIOUS: 'secret-previous',
      PARLEY_KEY_PEPPER: 'key-pepper',
    };
    for (const [name, file] of Object.entries(files))
      if (secrets[name]) await writeFile(join(dataDir, file), secrets[name]);
    const parley = await startParley({
      dataDir,
      port: 0,
      variables: { ...variables, ...UNLIMITED, PARLEY_SECRET_NEXT },
    });
    stops.defer(parley.stop);
    return { secrets: STEPS[step]!, parley };
  }
  /** A gateway of one generation in front of the services of another, as they meet in a rolling update. */
  async function across({ secrets }: Generation, { parley }: Generation) {
    const { auth, knowledge, assistants, conversations, events } = parley.endpoints;
    const addresses = { AUTH_ADDRESS: auth, KNOWLEDGE_ADDRESS: knowledge, ASSISTANTS_ADDRESS: assistants };
    const own = {
      HOST: '127.0.0.1',
      PORT: '0',
      OBJECTS_DIR: join(dir, 'objects'),
      CONVERSATIONS_ADDRESS: conversations,
    };
    const settings = { ...variables, ...UNLIMITED, ...secrets, ...addresses, ...own, EVENTS_ADDRESS: events };
    const gateway = createGateway(readConfig(readEnv(settings)));
    await gateway.start();
    stops.defer(gateway.stop);
    return { baseUrl: `http://127.0.0.1:${gateway.address().port}/v1`, stop: gateway.stop };
  }

  let older = await start(0);
  const key = await firstKey(older.parley, 'Ada');
  const account = createAccount(keyed(older.parley.endpoints.gateway, key), key);
  const faq = await account.faq('Keys', { [QUESTION]: 'The key is under the mat.' });
  await account.faq('Second');
  await account.train(faq);
  const bot = await account.chatbot(faq);
  const form = must(await account.api.post<{ public_id: string }>('/ticket-forms', { title: 'F' }));
  const { secret: identity } = must(await account.api.post<{ secret: string }>(`/chatbot/${bot.id}/identity-secret`));
  const events = { url: hook.url, events: ['*'] };
  const { secret: signing } = must(await account.api.post<{ secret: string }>('/webhooks', events));

  /** Issues tokens and addresses as the gateway at this address does. */
  async function issue(baseUrl: string) {
    const visitor = visitorOf(baseUrl, bot.public_id);
    must(await visitor.ask(QUESTION));
    const body = { email: 'ann@example.com', name: 'Ann', message: 'Where?', answers: [] };
    const tickets = `/public/v1/ticket-forms/${form.public_id}/tickets`;
    const headers = { origin: new URL(baseUrl).origin };
    const { token } = must(await publicApi(baseUrl).request<{ token: string }>('POST', tickets, { body, headers }));
    const { next_cursor } = must(await keyed(baseUrl, key).get<Page<unknown>>('/knowledge?limit=1'));
    const pending = must(
      await keyed(baseUrl, key).post<{ upload_url: string }>('/knowledge/document', { file_type: 'text/plain' }),
    );
    return { visitor: visitor.token(), ticket: token, cursor: next_cursor!, upload: pending.upload_url };
  }
  let held = await issue(older.parley.endpoints.gateway);

  const failures: unknown[] = [];
  let served = 0;
  /** Uses everything that people hold at one gateway. */
  async function use(baseUrl: string) {
    const { visitor: token, ticket, cursor } = held;
    const visitor = visitorOf(baseUrl, bot.public_id, { token });
    const headers = { origin: new URL(baseUrl).origin };
    const tried: [string, Promise<Answer<unknown>>][] = [
      ['key', keyed(baseUrl, key).get('/me')],
      ['visitor', visitor.mine()],
      ['question', visitor.ask(QUESTION)],
      ['ticket', publicApi(baseUrl).request('GET', `/public/v1/tickets/${ticket}`, { headers })],
      ['cursor', keyed(baseUrl, key).get(`/knowledge?limit=1&next_cursor=${cursor}`)],
      ['vouched', visitorOf(baseUrl, bot.public_id).identify(vouched(identity, { user_id: 'u1', name: 'Ann' }))],
    ];
    for (const [what, answer] of tried) {
      const { status, body } = await answer;
      if (status !== 200) failures.push([what, status, body]);
      served++;
    }
  }
  let open: string[] = [older.parley.endpoints.gateway];
  const inFlight = new Set<Promise<void>>();
  let running = true;
  async function load() {
    for (let i = 0; running; i++) {
      const one = use(open[i % open.length]!).catch((error) => void failures.push(error));
      inFlight.add(one);
      await one.finally(() => inFlight.delete(one));
    }
  }
  const loaded = load();
  stops.defer(async () => {
    running = false;
    await loaded;
  });

  const seals = async () =>
    JSON.stringify(await mongo.db('parley_events').collection('webhooks').distinct('secrets.sealed'));
  const sealedBefore = await seals();
  for (const step of [1, 2, 3]) {
    if (step === 3) {
      await until(seals, (sealed) => sealed !== sealedBefore);
      held = await issue(older.parley.endpoints.gateway);
    }
    const newer = await start(step);
    const crossed = [await across(older, newer), await across(newer, older)];
    const all = [older, newer].map(({ parley }) => parley.endpoints.gateway);
    open = [...all, ...crossed.map(({ baseUrl }) => baseUrl)];
    const enough = served + 4 * open.length * 6;
    await until(() => served > enough || failures.length > 0);
    const query = new URL(held.upload);
    const put = await fetch(new URL(query.pathname + query.search, newer.parley.baseUrl), {
      method: 'PUT',
      body: 'Text',
    });
    expect(put.status).toBe(200);
    open = [newer.parley.endpoints.gateway];
    await Promise.all(inFlight);
    for (const gateway of crossed) await gateway.stop();
    await older.parley.stop();
    older = newer;
  }
  const { parley } = older;
  const delivered = hook.deliveries.length;
  const made = createAccount(keyed(parley.endpoints.gateway, key), key);
  await made.faq('After the turn');
  await until(() => hook.deliveries.length > delivered);
  running = false;
  await loaded;

  expect(failures).toEqual([]);
  for (const { id, timestamp, body, signature } of hook.deliveries) {
    const mac = createHmac('sha256', Buffer.from(signing.slice('whsec_'.length), 'base64'));
    expect(signature).toBe(`v1,${mac.update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  }
  const dead: unknown[] = [];
  for (const collection of await mongo.db('parley_bus').collections())
    for await (const { topic } of collection.find())
      if (typeof topic === 'string' && isDeadTopic(topic)) dead.push(topic);
  expect(dead).toEqual([]);
});

interface Delivery {
  id: unknown;
  timestamp: unknown;
  signature: unknown;
  body: string;
}

/** An endpoint of webhooks. */
async function receiver() {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    deliveries.push({ id, timestamp, signature, body: Buffer.concat(parts).toString() });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    deliveries,
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
