import { createBuildCache, type Embedder, type TrainingJob } from '@parley/corpus';
import { parseAllowList } from '@parley/corpus/guard';
import { chunk, corpusWorld } from '@parley/corpus/testing';
import { batchGetKnowledgeItems } from './rpc/batch-get-knowledge-items.ts';
import { createFaq } from './rpc/create-faq.ts';
import { createFaqItem } from './rpc/create-faq-item.ts';
import { createWebsite } from './rpc/create-website.ts';
import { deleteFaqItem } from './rpc/delete-faq-item.ts';
import { deleteKnowledgeItem } from './rpc/delete-knowledge-item.ts';
import { getKnowledgeItem } from './rpc/get-knowledge-item.ts';
import { listFaqItems } from './rpc/list-faq-items.ts';
import { listKnowledgeItems } from './rpc/list-knowledge-items.ts';
import { listSubPages } from './rpc/list-sub-pages.ts';
import { search } from './rpc/search.ts';
import { trainKnowledgeItem } from './rpc/train-knowledge-item.ts';

/** The handlers of the service on a corpus of their own, and a trainer that does as it is told. */
export async function knowledgeWorld(embedders: Embedder[] = []) {
  const world = await corpusWorld();
  const { corpus } = world;
  const parts = {
    corpus,
    crawlAllow: parseAllowList('127.0.0.1:8080'),
    cache: createBuildCache({ maxBytes: 1_000_000 }),
    embedders: {
      name: 'embedders',
      current: embedders[0] ?? null,
      byModel: (model: string) => embedders.find((e) => e.model === model),
    },
  };

  /** What a run does: reads the items of the FAQ now, and writes a chunk for each. */
  async function writeFaq(job: TrainingJob, embedder = embedders[0]) {
    await corpus.builds.open(job, embedder?.model ?? null);
    let index = 0;
    for await (const item of corpus.faqItems.all(job.account, job.item)) {
      const [vector = null] = embedder ? await embedder.embed([item.answer]) : [];
      const made = { ...chunk(index++, item.answer), source: item._id, title: item.question, vector };
      await corpus.chunks.insert(job, [made]);
    }
  }

  return {
    ...world,
    writeFaq,
    async train(account: string, id: string, embedder = embedders[0]) {
      const job = await world.begin(account, id);
      await writeFaq(job, embedder);
      await corpus.training.publish(job, embedder?.model ?? null);
      return job;
    },
    rpc: {
      createWebsite: createWebsite(parts),
      createFaq: createFaq(parts),
      getKnowledgeItem: getKnowledgeItem(parts),
      batchGetKnowledgeItems: batchGetKnowledgeItems(parts),
      listKnowledgeItems: listKnowledgeItems(parts),
      deleteKnowledgeItem: deleteKnowledgeItem(parts),
      trainKnowledgeItem: trainKnowledgeItem(parts),
      listSubPages: listSubPages(parts),
      createFaqItem: createFaqItem(parts),
      listFaqItems: listFaqItems(parts),
      deleteFaqItem: deleteFaqItem(parts),
      search: search(parts),
    },
  };
}

export type KnowledgeWorld = Awaited<ReturnType<typeof knowledgeWorld>>;

/** A request as the wire would give it: unset fields have their defaults. */
export const request = <T extends object>(fields: T) =>
  ({ limit: 0, nextCursor: '', categories: [], ...fields }) as never;
