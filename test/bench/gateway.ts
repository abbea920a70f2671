import { availableParallelism } from 'node:os';
import type { Running } from './gateway-system.ts';
import { keepAlive } from './keep-alive.ts';
import { inTurns, rate, repeat } from './measure.ts';
import { startProgram } from './program.ts';
import { PLENTY } from './system.ts';
import type { Bench, Table } from './table.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CONNECTIONS = 32;
/** Warm-up requests to each, until its code is compiled. */
const WARM_UP = 2_000;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const BOUND = 0.4;

/** The cost of the gateway and a service, compared with a route that queries the database directly. */
export const gateway: Bench = { name: 'gateway', run };

async function run(): Promise<Table> {
  await using parley = await startProgram<Running>(module('gateway-system'));
  const { endpoints, uri, account, key } = parley.ready;
  await using bare = await startProgram<number>(module('gateway-bare'), {
    variables: { MONGODB_URI: uri, ACCOUNT: account },
  });
  await using assistants = await startProgram<number>(module('service'), {
    args: ['assistants'],
    variables: variablesOf(parley.ready),
  });
  await using objects = await temporaryFolder();
  await using apart = await startProgram<number>(module('service'), {
    args: ['gateway'],
    variables: {
      ...variablesOf(parley.ready),
      ASSISTANTS_ADDRESS: `127.0.0.1:${assistants.ready}`,
      OBJECTS_DIR: objects.path,
    },
  });

  const candidates = [
    { name: 'bare Koa + MongoDB driver', url: `http://127.0.0.1:${bare.ready}/` },
    { name: 'gateway and assistants, one process each', url: `http://127.0.0.1:${apart.ready}/v1/chatbots` },
    { name: 'all of Parley in one process', url: `${endpoints.gateway}/chatbots` },
  ];
  const headers = { authorization: `Bearer ${key}` };
  const gets = candidates.map(({ url }) => {
    const ask = keepAlive(CONNECTIONS);
    return () => ask(url, { headers });
  });
  const pages = new Set(await Promise.all(gets.map((get) => get())));
  if (pages.size !== 1) throw new Error('the pages differ');
  for (const get of gets) await repeat(get, CONNECTIONS, WARM_UP);
  const rates = await inTurns(
    ROUNDS,
    gets.map((get) => () => rate(get, CONNECTIONS, ROUND_MS)),
  );
  const ratios = rates.map((each) => each / rates[0]!);
  return {
    about: `An authenticated GET /v1/chatbots, 25 chatbots, ${CONNECTIONS} keep-alive connections; client, servers and database share ${availableParallelism()} cores. Ratios are to the first row.`,
    head: ['served by', 'requests/s', 'ratio'],
    rows: candidates.map(({ name }, i) => [name, rates[i]!.toFixed(0), ratios[i]!.toFixed(2)]),
    bound: {
      says: `the throughput of gateway and service must be at least ${BOUND} of the bare route's; it is ${ratios[1]!.toFixed(2)}.`,
      met: ratios[1]! >= BOUND,
    },
  };
}

const module = (name: string) => new URL(`./${name}.ts`, import.meta.url);

const variablesOf = ({ endpoints, uri, secret }: Running) => ({
  HOST: '127.0.0.1',
  PORT: '0',
  MONGODB_URI: uri,
  PARLEY_SECRET: secret,
  AUTH_ADDRESS: endpoints.auth,
  KNOWLEDGE_ADDRESS: endpoints.knowledge,
  ASSISTANTS_ADDRESS: endpoints.assistants,
  CONVERSATIONS_ADDRESS: endpoints.conversations,
  RATE_LIMIT_PER_MINUTE: PLENTY,
});
