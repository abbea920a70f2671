import type { KnowledgeItemDoc, KnowledgeType } from '@parley/corpus';
import { LoadError } from '../crawl/http/load-error.ts';
import { loadDocument } from './document.ts';
import { loadFaq } from './faq.ts';
import type { Run, Step } from './source.ts';
import { loadVideo } from './video.ts';
import { loadWebsite } from './website.ts';

/** Loads the texts of an item, step by step. @throws LoadError where there is nothing to load. */
export type Loader<T extends KnowledgeType> = (item: KnowledgeItemDoc<T>, run: Run) => AsyncIterable<Step>;

const UNKNOWN_TYPE =
  'This trainer is older than the type of this knowledge item and cannot train it. Update the trainer, then train the item again.';

const LOADERS: { [T in KnowledgeType]: Loader<T> } = {
  website: loadWebsite,
  faq: loadFaq,
  video: loadVideo,
  document: loadDocument,
};

/** The loader of an item. @throws LoadError for a type that only a newer version knows. */
export function loaderOf<T extends KnowledgeType>(item: KnowledgeItemDoc<T>): (run: Run) => AsyncIterable<Step> {
  const load: Loader<T> | undefined = LOADERS[item.type];
  if (!load) throw new LoadError(UNKNOWN_TYPE);
  return (run) => load(item, run);
}
