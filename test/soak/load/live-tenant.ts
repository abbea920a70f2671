import { until } from '@parley/runtime/testing';
import { repeat } from '../../stack/load.ts';
import { EMAILS, TICKETS } from './case-kinds.ts';
import { cases } from './cases.ts';
import { chats } from './chats.ts';
import { documents } from './documents.ts';
import { faqs } from './faqs.ts';
import { lists } from './lists.ts';
import type { Operator } from './operator.ts';
import { people } from './people.ts';
import { type Activity, recordedClient, type Tenant, train, type World } from './tenant.ts';
import { websites } from './websites.ts';

/** An account whose activities run. */
export interface LiveTenant {
  id: string;
  /** Ends the rounds in progress, and checks that nothing acknowledged was lost or stored twice. */
  rest(): Promise<void>;
  /** Deletes the account, and waits until its key is refused. */
  remove(): Promise<void>;
}

export interface TenantOptions {
  name: string;
  world: World;
  operator: Operator;
  /** The URL of the REST API, with its `/v1`. */
  baseUrl: string;
  /** Uniform in [0, 1). */
  random(): number;
}

const ACTIVITIES = [websites, faqs, documents, chats, chats, cases(TICKETS), cases(EMAILS), people, lists];
/** Between two rounds of an activity, at most: leaves half of two cores for restarts. */
const PAUSE_MS = 4_000;
/** A gateway may remember a key for ten seconds. */
const REFUSED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

/** Creates an account, and starts its activities. */
export async function openTenant({ name, world, operator, baseUrl, random }: TenantOptions): Promise<LiveTenant> {
  const { recorder } = world;
  const { id, key } = await operator.createAccount(name);
  const tenant: Tenant = { id, baseUrl, parley: recordedClient(baseUrl, key, recorder), library: '', world };
  tenant.library = await library(tenant);
  const activities = await Promise.all(ACTIVITIES.map((start) => start(tenant)));
  const loops = activities.map(({ name, round }) => {
    const act = (n: number) => round(n).catch((error) => recorder.failed(`${name}: ${error.message}`));
    return repeat(act, () => PAUSE_MS * random());
  });

  async function end({ name, check, close }: Activity): Promise<void> {
    await check?.().catch((error) => recorder.lost(`${name} of the account ${id}: ${error.message}`));
    await close?.();
  }

  return {
    id,
    async rest() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all(activities.map(end));
    },
    async remove() {
      await operator.deleteAccount(id);
      const status = async () => (await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })).status;
      await until(
        () => status().catch(() => 0),
        (found) => found === 401,
        REFUSED_WITHIN_MS,
        LOOK_EVERY_MS,
      );
    },
  };
}

/** An FAQ that chatbots, forms and inboxes answer from. */
async function library(tenant: Tenant): Promise<string> {
  const { parley } = tenant;
  const { id } = await parley.post('/knowledge/faq', { body: { title: 'Clay' } });
  const body = { question: 'Where does the clay come from?', answer: 'The clay comes from the pit behind the mill.' };
  await parley.post('/knowledge/{id}/faq-item', { path: { id }, body });
  await train(tenant, id);
  return id;
}
