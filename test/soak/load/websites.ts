import { glaze, openSite } from '../../stack/load.ts';
import { expectOneBuild, expectOneEndEach } from '../../stack/whole.ts';
import { type Activity, all, deleted, refused, type Tenant, train } from './tenant.ts';

/** Rounds after which the website and its chatbot are replaced. */
const LIFE = 12;

/** Changes a website, trains it, and asks a chatbot about what has changed. */
export async function websites(tenant: Tenant): Promise<Activity> {
  const { parley, world } = tenant;
  const site = await openSite();
  let current: { id: string; chatbot: string } | undefined;

  async function create() {
    const { id } = await parley.post('/knowledge/website', { body: { website_url: site.url } });
    await train(tenant, id);
    const chatbot = (await parley.post('/chatbots', { body: { title: 'Kiln' } })).id;
    await parley.put('/chatbot/{id}/knowledge', { path: { id: chatbot }, body: { knowledge_id: id } });
    return { id, chatbot };
  }

  async function check() {
    if (!current) return;
    await expectOneBuild(world.mongo, current.id);
    await expectOneEndEach(world.mongo, current.id, world.ends);
  }

  async function remove({ id, chatbot }: { id: string; chatbot: string }) {
    await deleted(tenant, () => parley.delete('/knowledge/{id}', { path: { id } }));
    await refused(404, 'A deleted website', () => parley.get('/knowledge/{id}', { path: { id } }));
    await deleted(tenant, () => parley.delete('/chatbot/{id}', { path: { id: chatbot } }));
  }

  return {
    name: 'website',
    async round(n) {
      current ??= await create();
      const { id, chatbot } = current;
      site.pages['/glaze'] = glaze(n);
      await train(tenant, id);
      const pages = await all(parley.list('/knowledge/{id}/sub-pages', { path: { id }, query: { limit: 2 } }));
      if (pages.length !== Object.keys(site.pages).length) throw new Error(`A website has ${pages.length} pages.`);
      const message = 'At how many degrees does the glaze melt?';
      const reply = await parley.post('/chatbot/{id}/reply', { path: { id: chatbot }, body: { message } });
      if (!reply.message.includes(`Glaze number ${n} `)) throw new Error(`An answer is old: ${reply.message}`);
      if (n % LIFE > 0) return;
      await check();
      await remove(current);
      current = undefined;
    },
    check,
    close: async () => site[Symbol.asyncDispose](),
  };
}
