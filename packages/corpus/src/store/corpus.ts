import { type ListVersions, listed, listVersionStore } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { type BuildStore, buildStore } from './builds.ts';
import { type Collections, FAQ_LIST_VERSIONS, rawCollections } from './collections.ts';
import { type DocumentStore, documentStore } from './documents.ts';
import { type FaqItemStore, faqItemStore } from './faq-items.ts';
import { type ItemStore, itemStore } from './items.ts';
import { type ReembeddingStore, reembeddingStore } from './reembedding.ts';
import { type SubPageStore, subPageStore } from './sub-pages.ts';
import { type TrainingStore, trainingStore } from './training.ts';
import { type KnowledgeLimits, UNLIMITED, type Usage, usageStore } from './usage.ts';
import { type VideoStore, videoStore } from './videos.ts';

/** The corpus database, by concern. */
export interface Corpus {
  collections: Collections;
  items: ItemStore;
  documents: DocumentStore;
  videos: VideoStore;
  faqItems: FaqItemStore;
  subPages: SubPageStore;
  training: TrainingStore;
  reembedding: ReembeddingStore;
  builds: BuildStore;
  usage: Usage;
}

export function createCorpus(db: Db, limits: KnowledgeLimits = UNLIMITED): Corpus {
  const usage = usageStore(db, limits);
  const raw = rawCollections(db);
  const versions = listVersionStore(db);
  const faqVersions: ListVersions<'item'> = listVersionStore(db, ['item'], FAQ_LIST_VERSIONS);
  const c: Collections = {
    ...raw,
    items: listed(raw.items, versions, usage),
    faqItems: listed(raw.faqItems, faqVersions, usage),
  };
  return {
    collections: c,
    items: itemStore(c, versions),
    documents: documentStore(c),
    videos: videoStore(c),
    faqItems: faqItemStore(c, faqVersions),
    subPages: subPageStore(c),
    training: trainingStore(c),
    reembedding: reembeddingStore(c),
    builds: buildStore(c),
    usage,
  };
}
