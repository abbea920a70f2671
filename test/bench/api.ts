import { availableParallelism } from 'node:os';
import { MongoClient } from 'mongodb';
import { startApart } from './apart.ts';
import { fillKnowledge, fillThreads } from './api-lists.ts';
import type { Running } from './gateway-system.ts';
import { keepAlive } from './keep-alive.ts';
import { inTurns, rate, repeat } from './measure.ts';
import { startProgram } from './program.ts';
import { createAccount, type Owner } from './system.ts';
import type { Bench, Table } from './table.ts';

const CONNECTIONS = 32;
/** Warm-up requests to each, until its code is compiled. */
const WARM_UP = 500;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const [MANY, FEW] = [100_000, 1_000];
const DEEP_PAGE = 400;
/** Half a year of the year that the lists cover; neither bound is a midnight. */
const DATES = ['created_after', 'created_before'].map(
  (bound, i) => `${bound}=${new Date(Date.now() - (250 - 180 * i) * 24 * 3_600_000).toISOString()}`,
);
/** The least of the throughput without a total, and of the one that counts it; the most that a large list costs. */
const BOUNDS = { page: 0.45, counted: 3, growth: 1.3 };

/** Lists at size: what a page with its exact total costs, compared with a route that queries the database directly. */
export const api: Bench = { name: 'api', run };

interface Candidate {
  name: string;
  url: string;
  owner?: Owner;
  /** The name of the same list with less in it. */
  smaller?: string;
}

async function run(): Promise<Table> {
  await using parley = await startProgram<Running>(new URL('./gateway-system.ts', import.meta.url));
  const { uri, account, key, endpoints, secret } = parley.ready;
  await using apart = await startApart(parley.ready, ['knowledge', 'conversations', 'assistants']);
  const ask = keepAlive(CONNECTIONS);
  const headersOf = ({ key }: Owner) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const owner = { account, key };
  const create = async (path: string, body: object): Promise<string> => {
    const asked = { method: 'POST', headers: headersOf(owner), body: JSON.stringify(body) };
    return JSON.parse(await ask(`${apart.url}${path}`, asked)).data.id;
  };

  const mongo = new MongoClient(uri);
  const lists: Candidate[] = [];
  const add = (kind: string, [many, few]: readonly [string, string], filters: Record<string, string>) => {
    for (const [name, filter] of Object.entries(filters)) {
      const smaller = `${kind}${name}, of 1,000`;
      lists.push({ name: `${kind}${name}, of 100,000`, url: `${apart.url}${many}?${filter}`, smaller });
      lists.push({ name: smaller, url: `${apart.url}${few}?${filter}` });
    }
  };
  const both = async (fill: (count: number) => Promise<string>) => [await fill(MANY), await fill(FEW)] as const;
  const formOf = new Map<number, string>();
  const forms = await both(async (count) => {
    const id = await create('/ticket-forms', { title: `Form ${count}` });
    await fillThreads(mongo, account, 'ticket', id, count);
    formOf.set(count, id);
    return `/ticket-form/${id}/tickets`;
  });
  add('open tickets', forms, { '': 'status=open', ' between dates': `status=open&${DATES.join('&')}` });
  const inboxes = await both(async (count) => {
    const id = await create('/email-inboxes', { title: `Inbox ${count}`, alias: `help-${count}` });
    await fillThreads(mongo, account, 'email', id, count);
    return `/email-inbox/${id}/emails`;
  });
  add('emails', inboxes, { '': '' });
  const chatbots = await both(async (count) => {
    const id = await create('/chatbots', { title: `Help ${count}` });
    await fillThreads(mongo, account, 'chat', id, count);
    return `/chatbot/${id}/chats`;
  });
  add('chats', chatbots, { '': '' });
  const other = await createAccount(endpoints.auth, secret);
  await fillKnowledge(mongo, account, MANY);
  await fillKnowledge(mongo, other.account, FEW);
  add('knowledge items', ['/knowledge', '/knowledge'], { '': '' });
  lists.at(-1)!.owner = other;
  await mongo.close();

  const deep = await pageOf(DEEP_PAGE, (url) => ask(url, { headers: headersOf(owner) }), lists[0]!.url);
  lists.splice(1, 0, { name: `open tickets, page ${DEEP_PAGE} of 100,000`, url: deep, smaller: lists[0]!.smaller! });

  await using bare = await startProgram<number>(new URL('./api-bare.ts', import.meta.url), {
    variables: { MONGODB_URI: uri, ACCOUNT: account, FORM: formOf.get(MANY)! },
  });
  const candidates: Candidate[] = [
    {
      name: 'bare Koa + MongoDB driver, open tickets of 100,000, no total',
      url: `http://127.0.0.1:${bare.ready}/page`,
    },
    { name: 'the same, total counted', url: `http://127.0.0.1:${bare.ready}/counted` },
    ...lists,
  ];
  const gets = candidates.map(({ url, owner: asking = owner }) => {
    const get = keepAlive(CONNECTIONS);
    return () => get(url, { headers: headersOf(asking) });
  });
  await checkSame(gets[1]!, gets[2]!);
  for (const get of gets) await repeat(get, CONNECTIONS, WARM_UP);
  const rates = await inTurns(
    ROUNDS,
    gets.map((get) => () => rate(get, CONNECTIONS, ROUND_MS)),
  );
  return table(candidates, rates);
}

/** The address of a list's nth page. */
async function pageOf(n: number, get: (url: string) => Promise<string>, url: string): Promise<string> {
  let page = url;
  for (let i = 1; i < n; i++) page = `${url}&next_cursor=${JSON.parse(await get(page)).data.next_cursor}`;
  return page;
}

async function checkSame(...gets: (() => Promise<string>)[]): Promise<void> {
  const pages = await Promise.all(gets.map(async (get) => JSON.parse(await get())));
  const seen = new Set(
    pages.map(({ data }) => JSON.stringify([data.total, data.items.map(({ id }: { id: string }) => id)])),
  );
  if (seen.size !== 1) throw new Error('the pages differ');
}

function table(candidates: readonly Candidate[], rates: readonly number[]): Table {
  const [page, counted, parley] = rates as [number, number, number];
  const growthOf = ({ smaller }: Candidate, rate: number) => {
    const i = candidates.findIndex(({ name }) => name === smaller);
    return i < 0 ? undefined : rates[i]! / rate;
  };
  const growths = candidates.map((candidate, i) => growthOf(candidate, rates[i]!));
  const worst = Math.max(...growths.filter((growth) => growth !== undefined));
  const [toPage, toCounted] = [parley / page, parley / counted];
  return {
    about: `A page of 25 with its exact total, spread over a year, ${CONNECTIONS} keep-alive connections; gateway and services one process each; client, servers and database share ${availableParallelism()} cores.`,
    head: ['list', 'requests/s', 'to no total', 'to counted', 'cost to 1,000'],
    rows: candidates.map(({ name }, i) => [
      name,
      rates[i]!.toFixed(0),
      (rates[i]! / page).toFixed(2),
      (rates[i]! / counted).toFixed(2),
      growths[i]?.toFixed(2) ?? '',
    ]),
    bound: {
      says: `open tickets of 100,000 must reach ${BOUNDS.page} of the throughput without a total and ${BOUNDS.counted} times that of the counted one, and no list may cost more than ${BOUNDS.growth} times as much as with 1,000; it is ${toPage.toFixed(2)}, ${toCounted.toFixed(2)}, ${worst.toFixed(2)}.`,
      met: toPage >= BOUNDS.page && toCounted >= BOUNDS.counted && worst <= BOUNDS.growth,
    },
  };
}
