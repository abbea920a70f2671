import type { FaqItem } from '../../../clients/typescript/src/index.ts';
import { expectOneBuild, expectOneEndEach } from '../../stack/whole.ts';
import { type Activity, all, deleted, refused, type Tenant, train } from './tenant.ts';

/** Questions that an FAQ has at most. */
const MOST = 8;
const LIFE = 20;

/** Adds questions to an FAQ, deletes the oldest, and trains it. */
export async function faqs(tenant: Tenant): Promise<Activity> {
  const { parley, world } = tenant;
  let current: { id: string; items: Pick<FaqItem, 'id' | 'question'>[] } | undefined;

  async function create() {
    const { id } = await parley.post('/knowledge/faq', { body: { title: 'Shelves' } });
    return { id, items: [] as Pick<FaqItem, 'id' | 'question'>[] };
  }

  async function add(faq: NonNullable<typeof current>, n: number) {
    const body = { question: `What is shelf ${n} for?`, answer: `Shelf ${n} is for bowls.` };
    const { id, question } = await parley.post('/knowledge/{id}/faq-item', { path: { id: faq.id }, body });
    faq.items.push({ id, question });
  }

  async function removeOldest({ id, items }: NonNullable<typeof current>) {
    const path = { id, faq_item_id: items[0]!.id };
    await deleted(tenant, () => parley.delete('/knowledge/{id}/faq-item/{faq_item_id}', { path }));
    items.shift();
  }

  async function check() {
    if (!current) return;
    const { id, items } = current;
    const listed = await all(parley.list('/knowledge/{id}/faq-items', { path: { id }, query: { limit: 3 } }));
    const said = JSON.stringify(listed.map(({ id, question }) => ({ id, question })).reverse());
    if (said !== JSON.stringify(items)) throw new Error(`An FAQ has ${said}, not ${JSON.stringify(items)}.`);
    if (items.length === 0) return;
    await expectOneBuild(world.mongo, id);
    await expectOneEndEach(world.mongo, id, world.ends);
  }

  return {
    name: 'FAQ',
    async round(n) {
      current ??= await create();
      const { id } = current;
      await add(current, n);
      if (current.items.length > MOST) await removeOldest(current);
      await train(tenant, id);
      if (n % LIFE > 0) return;
      await check();
      await deleted(tenant, () => parley.delete('/knowledge/{id}', { path: { id } }));
      await refused(404, 'A deleted FAQ', () => parley.get('/knowledge/{id}', { path: { id } }));
      current = undefined;
    },
    check,
  };
}
