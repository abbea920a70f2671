import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem, Page, SubPage } from '../e2e/resources.ts';
import { site } from '../e2e/site.ts';
import { world } from '../e2e/world.ts';

/** An item with the most chunks that one page may have fits on the disk of a search; two do not. Half of the usual. */
const variables = { INDEX_DISK_MIB: '1', TRAINING_MAX_PAGE_CHUNKS: '2500' };
const { a, stop } = await world({ embeddings: 'none', variables });
afterAll(stop);

/** On a busy machine. */
const TRAINING_MS = 120_000;

/** As many pieces as 1 MB can have: each heading starts a new one. `split.test.ts` bounds the time for 5 MB. */
const MANY_HEADINGS = '# n\nb\n'.repeat(170_000);
/** More than are trained. */
const ENOUGH_HEADINGS = '# n\nb\n'.repeat(3_000);

const markdown = (text: string) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'text/markdown').end(text);

test(
  'two pages full of headings are trained up to the limit and say so; a chatbot with one answers, with both it is refused',
  async () => {
    await using pages = await site({
      '/': markdown(MANY_HEADINGS),
      '/?second=1': markdown(ENOUGH_HEADINGS),
    });
    const items: KnowledgeItem[] = [];
    for (const path of ['', '?second=1']) {
      const { id } = await a.website(pages.url + path);
      must(await a.api.put(`/knowledge/${id}/train`));
      const item = await until(
        async () => must(await a.api.get<KnowledgeItem>(`/knowledge/${id}`)),
        (item) => !item.is_training,
        TRAINING_MS,
      );
      expect(item).toMatchObject({
        training_failed_with: null,
        training_notes: expect.arrayContaining([expect.stringContaining('TRAINING_MAX_PAGE_CHUNKS')]),
      });
      const listed = must(await a.api.get<Page<SubPage>>(`/knowledge/${item.id}/sub-pages`));
      expect(listed.items[0]).toMatchObject({
        trained_at: expect.any(String),
        training_note: expect.stringContaining('first 2,500 chunks'),
      });
      items.push(item);
    }

    const one = await a.chatbot(items[0]!);
    const reply = { message: 'b?' };
    expect((await a.api.post(`/chatbot/${one.public_id}/reply`, reply)).status).toBe(200);

    must(await a.api.put(`/chatbot/${one.public_id}/knowledge`, { knowledge_id: items[1]!.id }));
    const refused = await a.api.post(`/chatbot/${one.public_id}/reply`, reply);
    expect(refused).toMatchObject({
      status: 503,
      body: { success: false, message: expect.stringMatching(/too large to be searched.*INDEX_DISK_MIB/) },
    });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);

    // The refusal is not permanent: without the second item the chatbot answers again.
    must(await a.api.del(`/chatbot/${one.public_id}/knowledge`, { knowledge_id: items[1]!.id }));
    expect((await a.api.post(`/chatbot/${one.public_id}/reply`, reply)).status).toBe(200);
  },
  2 * TRAINING_MS + 60_000,
);
