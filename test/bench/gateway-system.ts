/** All of Parley in one process, with an account that has 25 chatbots: what `npm start` runs. */
import type { Endpoints } from '@parley/embedded';
import { tellReady } from './program.ts';
import { startSystem } from './system.ts';

export interface Running {
  endpoints: Endpoints;
  uri: string;
  objectsDir: string;
  secret: string;
  account: string;
  key: string;
}

export const CHATBOTS = 25;

const system = await startSystem({ variables: { LOG_LEVEL: 'info' } });
const { parley, uri, objectsDir, account, key, send } = system;
const { endpoints, secret } = parley;
for (let i = 1; i <= CHATBOTS; i++)
  await send('POST', '/chatbots', { title: `Help ${i}`, allowed_domains: ['www.example.org'] });
tellReady({ endpoints, uri, objectsDir, secret, account, key } satisfies Running, async () =>
  system[Symbol.asyncDispose](),
);
