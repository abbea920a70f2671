import { stampStore } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { type BuildStore, buildStore } from './builds.ts';
import { type ChunkStore, chunkStore } from './chunks.ts';
import { type Collections, collections } from './collections.ts';
import { type DocumentStore, documentStore } from './documents.ts';
import { type FaqItemStore, faqItemStore } from './faq-items.ts';
import { type ItemStore, itemStore } from './items.ts';
import { type ReembeddingStore, reembeddingStore } from './reembedding.ts';
import { type SubPageStore, subPageStore } from './sub-pages.ts';
import { type TrainingStore, trainingStore } from './training.ts';
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
  chunks: ChunkStore;
}

export function createCorpus(db: Db): Corpus {
  const c = collections(db);
  return {
    collections: c,
    items: itemStore(c, stampStore(db)),
    documents: documentStore(c),
    videos: videoStore(c),
    faqItems: faqItemStore(c),
    subPages: subPageStore(c),
    training: trainingStore(c),
    reembedding: reembeddingStore(c),
    builds: buildStore(c),
    chunks: chunkStore(c),
  };
}
