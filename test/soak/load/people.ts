import { until } from '@parley/runtime/testing';
import { type Activity, all, deleted, isStatus, recordedClient, type Tenant } from './tenant.ts';

/** Personas and keys that an account has at a time, besides those that stay. */
const KEPT = 5;
/** A gateway may remember a key for ten seconds. */
const REVOKED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

/** Makes personas and API keys, uses them, and takes back the oldest. */
export async function people(tenant: Tenant): Promise<Activity> {
  const { parley, world } = tenant;
  const personas: string[] = [];
  const keys: { id: string; client: ReturnType<typeof recordedClient> }[] = [];

  async function revokeOldest() {
    const { id, client } = keys.shift()!;
    await deleted(tenant, () => parley.delete('/api-key/{id}', { path: { id } }));
    const outcome = () => client.get('/me').catch((error) => error);
    await until(outcome, (answer) => isStatus(answer, 401), REVOKED_WITHIN_MS, LOOK_EVERY_MS);
  }

  return {
    name: 'people',
    async round(n) {
      personas.push((await parley.post('/personas', { body: { name: `Ada ${n}` } })).id);
      const { id, key } = await parley.post('/api-keys', { body: { name: `Key ${n}`, scopes: ['CHATBOTS_WRITE'] } });
      const client = recordedClient(tenant.baseUrl, key, world.recorder);
      keys.push({ id, client });
      const { account } = await client.get('/me');
      if (account.id !== tenant.id) throw new Error(`The key of ${tenant.id} is of ${account.id}.`);
      if (keys.length > KEPT) await revokeOldest();
      if (personas.length > KEPT)
        await deleted(tenant, () => parley.delete('/persona/{id}', { path: { id: personas.shift()! } }));
    },
    async check() {
      const listed = new Set((await all(parley.list('/personas', { query: { limit: 2 } }))).map(({ id }) => id));
      const known = new Set((await all(parley.list('/api-keys', { query: { limit: 2 } }))).map(({ id }) => id));
      const missing = [...personas.filter((id) => !listed.has(id)), ...keys.filter(({ id }) => !known.has(id))];
      if (missing.length > 0) throw new Error(`Personas or keys are missing: ${JSON.stringify(missing)}`);
    },
  };
}
