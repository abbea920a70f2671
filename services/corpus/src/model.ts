import type { WithOutbox } from '@parley/runtime';
import type { Binary } from 'mongodb';

/** The documents of the corpus database. Names are the database's own. */

export type KnowledgeType = 'website' | 'faq';

export interface KnowledgeItemDoc extends WithOutbox {
  _id: string;
  account: string;
  type: KnowledgeType;
  website?: { base_url: string };
  faq?: { title: string; description: string | null };
  created_at: Date;
  deleted_at: Date | null;
  /** The operation that deleted it: the same one again gets the same answer. */
  deleted_by?: string;
  /** Rises with every change of the item's own content (its FAQ items); compared by training, never shown. */
  content_version: number;
  /** Rises with every training that was accepted. */
  generation: number;
  /** null from the moment a training is queued until one completes. */
  trained_at: Date | null;
  training_failed_at: Date | null;
  training_failed_with: string | null;
  training: Training;
  /** The build that answers. It stays while the next one is made, and when that fails. */
  live: LiveBuild | null;
  /** Set by the end of a run: some of its builds may be of no more use. */
  builds_due?: Date;
}

export interface Training {
  state: 'idle' | 'queued' | 'running';
  /** The operation that was last accepted: the same one again starts nothing. */
  operation: string | null;
  /** A date exactly while queued or running. */
  queued_at: Date | null;
  /** Rises with every claim. Whoever holds an older one writes beside its successor and cannot publish. */
  fence: number;
  /** Claims of this generation; a clean release takes one back. */
  attempts: number;
  /** End of the lease, by the database's clock. */
  until: Date | null;
  /** What `content_version` was when the run was claimed. */
  content_version: number;
  /** Training was asked for while one ran and the content had changed: the end of the run queues the next. */
  again: boolean;
  progress: Progress;
}

/** Sources are pages of a website, or the items of an FAQ. */
export interface Progress {
  sources_found: number;
  sources_done: number;
  chunks: number;
}

export interface LiveBuild {
  /** `buildId(item, fence)` */
  build: string;
  /** How many chunks a complete read of the build has. */
  chunks: number;
  /** The embedding model of its vectors; null: it has none. */
  model: string | null;
  trained_at: Date;
}

/** What one run of a training writes; of no more use, it is retired, then emptied twice, then deleted. */
export interface BuildDoc {
  /** `buildId(item, fence)` */
  _id: string;
  account: string;
  item: string;
  generation: number;
  fence: number;
  /** The embedding model of its vectors; null: it has none. */
  model: string | null;
  created_at: Date;
  retired_at: Date | null;
  emptied_at: Date | null;
}

/** A page of a website as one run found it. The list that is shown is that of the latest run. */
export interface SubPageDoc {
  /** deriveId(build, page_url) */
  _id: string;
  account: string;
  item: string;
  build: string;
  page_url: string;
  trained_at: Date | null;
  training_failed_at: Date | null;
  training_failed_with: string | null;
  /** Absent on pages that failed. Object keys lie under the build's prefix. */
  content?: {
    hash: string;
    etag?: string;
    last_modified?: string;
    title: string;
    links: string[];
    raw_key: string;
    text_key: string;
  };
}

export interface FaqItemDoc {
  _id: string;
  account: string;
  item: string;
  question: string;
  answer: string;
  source_url: string | null;
  categories: string[];
  rating: { upvotes: number; downvotes: number };
  created_at: Date;
  /** A tombstone is kept for a day, so that a retry of its making or deleting finds it. */
  deleted_at: Date | null;
  deleted_by?: string;
}

/** A piece of text that search can find. */
export interface ChunkDoc {
  /** deriveId(build, source, index) */
  _id: string;
  account: string;
  item: string;
  build: string;
  /** page_url, or the id of the FAQ item. */
  source: string;
  /** 0 is the first of its source. */
  index: number;
  title: string;
  /** Where a reader finds it; empty where there is no such place. */
  url: string;
  text: string;
  /** SHA-256 of what was embedded, in hex: a later build with the same model reuses the vector. */
  text_hash: string;
  /** Unit vector, float32 little-endian; null where the build has no model. */
  vector: Binary | null;
}

/** The build of a run: one claim writes one build. */
export const buildId = (item: string, fence: number): string => `${item}:${fence}`;

/** Where a knowledge item's objects lie; each build has a folder of its own in there. */
export const itemPrefix = (account: string, item: string): string => `accounts/${account}/knowledge/${item}/`;
export const buildPrefix = (account: string, item: string, fence: number): string =>
  `${itemPrefix(account, item)}builds/${fence}/`;
