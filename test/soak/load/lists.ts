import { type Activity, all, type Tenant } from './tenant.ts';

/** Reads the lists of an account to their ends, in pages of different sizes. */
export async function lists({ parley }: Tenant): Promise<Activity> {
  return {
    name: 'list',
    async round(n) {
      const query = { limit: 1 + (n % 4) };
      await all(parley.list('/knowledge', { query }));
      await all(parley.list('/personas', { query }));
      await all(parley.list('/api-keys', { query }));
      await parley.get('/chatbots');
      await parley.get('/ticket-forms');
      await parley.get('/email-inboxes');
      await parley.get('/me');
    },
  };
}
