import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { StackDescription } from '../../deploy/stack/start-stack.ts';
import { type Account, createAccount } from '../e2e/account.ts';
import { keyed, must } from '../e2e/api.ts';
import { system } from '../e2e/system.ts';
import { UNLIMITED } from '../e2e/visitor.ts';
import { world } from '../e2e/world.ts';
import { type Seed, seedIn, seedWith } from './seed.ts';

/** The system that the suite judges, through its REST API. */
export interface Tested {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** Two unrelated accounts. The keys hold every scope. */
  a: Account;
  b: Account;
  seed: Seed;
  /** True if it can read websites that this process serves. */
  readsOurSites: boolean;
  /** For inspecting stored data, where that is possible. */
  mongo?: MongoClient;
  stop(): Promise<void>;
}

const SEED = 'npm run -s seed';
const MAX_RETRIES = 5;
const NOTHING = async () => ({});

/** The deployment that GATEWAY_URL names, the stack that PARLEY_STACK describes, or a new system in this process. */
export async function tested(): Promise<Tested> {
  const { GATEWAY_URL, PARLEY_STACK, SEED: command = SEED } = process.env;
  if (GATEWAY_URL) return deployment(GATEWAY_URL, seedWith(command));
  // The tests cause many failed authentications, send more requests than one client should, and want tickets to stay as they are.
  const variables = {
    AUTH_FAILURES_PER_MINUTE: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    AI_QUIET_SECONDS: '3600',
    ...UNLIMITED,
  };
  const options = { embeddings: 'none', variables } as const;
  if (!PARLEY_STACK) {
    const own = await world(options, NOTHING);
    return { ...own, seed: seedIn({ ...own.parley.endpoints, secret: own.parley.secret }), readsOurSites: true };
  }
  // Other tests use the stack at the same time, so its data is not looked at.
  const { mongo: _, ...stack } = await system(options, NOTHING);
  const { endpoints, secret } = await readStack(PARLEY_STACK);
  return { ...stack, seed: seedIn({ ...endpoints, secret }), readsOurSites: true };
}

const readStack = async (path: string): Promise<StackDescription> => JSON.parse(await readFile(path, 'utf8'));

async function deployment(url: string, seed: Seed): Promise<Tested> {
  const { API_KEY, OTHER_API_KEY } = process.env;
  if (!API_KEY || !OTHER_API_KEY)
    throw new Error('Set API_KEY and OTHER_API_KEY to keys of two accounts that hold every scope.');
  const baseUrl = `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  const [a, b] = [API_KEY, OTHER_API_KEY].map((key) =>
    createAccount(keyed(baseUrl, key, patient), key, MAX_RETRIES),
  ) as [Account, Account];
  const cleanUp = [await remover(a), await remover(b)];
  const stop = async () => {
    for (const clean of cleanUp) await clean();
  };
  return { baseUrl, a, b, seed, readsOurSites: false, stop };
}

/** Like `fetch`, but waits and repeats a request that exceeded a rate limit. */
async function patient(url: string, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, init);
    if (response.status !== 429 || retries === MAX_RETRIES) return response;
    await response.arrayBuffer();
    await pause(1_000 * Number(response.headers.get('retry-after')));
  }
}

const COLLECTIONS: [list: string, one: string, paged: boolean][] = [
  ['/chatbots', '/chatbot', false],
  ['/ticket-forms', '/ticket-form', false],
  ['/email-inboxes', '/email-inbox', false],
  ['/knowledge', '/knowledge', true],
  ['/personas', '/persona', true],
  ['/api-keys', '/api-key', true],
  ['/webhooks', '/webhook', true],
];

/** Returns a function that deletes what the account has then and does not have now. */
async function remover({ api }: Account): Promise<() => Promise<void>> {
  const listed = async (list: string, paged: boolean): Promise<string[]> => {
    const items = paged ? await api.all<{ id: string }>(list) : must(await api.get<{ id: string }[]>(list));
    return items.map(({ id }) => id);
  };
  const before = new Set((await Promise.all(COLLECTIONS.map(([list, , paged]) => listed(list, paged)))).flat());
  return async () => {
    for (const [list, one, paged] of COLLECTIONS)
      for (const id of await listed(list, paged)) if (!before.has(id)) await api.del(`${one}/${id}`);
  };
}
