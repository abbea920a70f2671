import type { WithOutbox } from '@parley/runtime/mongo';

/** The documents of the corpus database. Names are the database's own. */

/**
 * The types of knowledge items, each with the fields that only it has. A new type starts here; wherever types differ,
 * the code does not compile until it handles the new one.
 */
export interface KnowledgeDetails {
  website: Website;
  faq: { title: string; description: string | null };
  video: Video;
  document: DocumentDetails;
}

export interface DocumentDetails {
  /** A media type. */
  file_type: string;
  file_name: string | null;
  /** The file; another upload replaces it until the document is finalized. */
  upload: Upload | null;
  finalized_at: Date | null;
  /** The object that was found not to be what its type says, and why. Another upload has another key. */
  refused?: { key: string; reason: string };
}

export interface Upload {
  /** Key in the object store. */
  key: string;
  bytes: number;
  /** In hex. */
  sha256: string;
}

export interface StrayObject {
  key: string;
  /** Its size, or its limit while it is being uploaded. */
  bytes: number;
  /** When to delete it. An upload in progress completes before that or not at all; a run may read it until then. */
  due: Date;
}

interface Video extends VideoSettings {
  video_id: string;
  video_url: string;
}

/** The owner's settings. Absent fields were never set. */
export interface VideoSettings {
  /** The title in citations; null: YouTube's. */
  title?: string | null;
  /** BCP 47 tag of the captions to train; null: the best that there are. */
  language?: string | null;
  /** An SRT or VTT file to train instead of YouTube's captions. */
  transcript?: Upload | null;
}

interface Website extends WebsiteSettings {
  base_url: string;
}

/** The owner's settings. Absent fields were never set. */
export interface WebsiteSettings {
  /** Path patterns of the pages to train; empty: all. */
  include?: string[];
  /** Path patterns of the pages to leave out, even if included. */
  exclude?: string[];
  /** Hours from the end of one training to the start of the next; null: only on request. */
  retrain_every?: number | null;
}

export type KnowledgeType = keyof KnowledgeDetails;

/** A type, and its details in a field of the same name. */
export type Typed<T extends KnowledgeType = KnowledgeType> = {
  [K in T]: { type: K } & { [Field in K]: KnowledgeDetails[Field] };
}[T];

/** A union by `type`; `KnowledgeItemDoc<'faq'>` is one member of it. */
export type KnowledgeItemDoc<T extends KnowledgeType = KnowledgeType> = KnowledgeItemFields & Typed<T>;

interface KnowledgeItemFields extends WithOutbox {
  _id: string;
  account: string;
  created_at: Date;
  deleted_at: Date | null;
  /** The operation that deleted it, so that a retry gets the same answer. */
  deleted_by?: string;
  /**
   * Incremented by every change of the item's own content (its FAQ items, its path patterns, its finalized file, the
   * settings of a video). Training compares it; clients never see it.
   */
  content_version: number;
  /** Incremented by every accepted training. */
  generation: number;
  /** null from the moment a training is queued until one completes. */
  trained_at: Date | null;
  training_failed_at: Date | null;
  training_failed_with: string | null;
  /** Omissions of the latest run, a sentence each, such as a limit that was hit. Absent before the first run. */
  training_notes?: string[];
  training: Training;
  /** The latest training that has ended. Absent before. */
  last_training?: EndedTraining;
  /** The build that search uses. It stays while the next one is made, and if that fails. */
  live: LiveBuild | null;
  /** Set when a run ends: some of its builds may no longer be needed. */
  builds_due?: Date;
  /** When to train again by itself, if nobody asks for it before; see `retrainDue`. */
  retrain_due?: Date;
  /** Objects that exist or may appear but are not its file: of uploads in progress, failed and replaced. */
  strays?: StrayObject[];
  /** When the sweeper of files next has something to do; null or absent if never. */
  files_due?: Date | null;
}

export interface Training {
  /** `re-embedding`: idle to users, but a worker is renewing the vectors of the live build. */
  state: 'idle' | 'queued' | 'running' | 're-embedding';
  /** The last accepted operation; a retry of it starts nothing. */
  operation: string | null;
  /** Set while queued or running, null otherwise. Of a postponed training, when it may be claimed again. */
  queued_at: Date | null;
  /** When it was queued; a postponement does not move it. Absent before the first training, and of an old release. */
  first_queued_at?: Date;
  /** When the latest claim began. Absent before the first claim. */
  started_at?: Date;
  /** Incremented by every claim. A worker with an older fence writes to its own build and cannot publish. */
  fence: number;
  /** The number of `claims`. */
  attempts: number;
  /**
   * Fences of the claims that count as attempts: those of this generation since the last one that made progress, without
   * those that were released or uncounted.
   */
  claims: number[];
  /** The most sources that any claim of this generation has finished. */
  reached?: number;
  /** Fence of the build whose pages clients see, if later claims only renewed its vectors. */
  pages_fence?: number;
  /** How often it was postponed since a run got further than any before. */
  retries?: number;
  /** End of the lease, by the database's clock. While idle: when its vectors may be renewed again. */
  until: Date | null;
  /** The trace that queued it, as W3C's traceparent. */
  trace?: string;
  /** `content_version` at the time of the claim. */
  content_version: number;
  /** Training was requested during a run after the content changed: the end of the run queues the next one. */
  again: boolean;
  progress: Progress;
}

export interface EndedTraining extends EmbeddingUsage {
  /** When the claim that ended it began. */
  started_at: Date;
  ended_at: Date;
}

/** Sources are pages of a website, items of an FAQ, or parts of a document. */
export interface Progress extends Partial<EmbeddingUsage> {
  sources_found: number;
  sources_done: number;
  chunks: number;
}

export interface LiveBuild {
  /** `buildId(item, fence)` */
  build: string;
  /** The file that search reads. */
  file: BuildFile;
  /** The file was found to be missing, or not what was written. */
  damaged?: true;
  /** The number of passages in the build. */
  chunks: number;
  /** The embedding model of its vectors; null if it has none. */
  model: string | null;
  /** Pages or FAQ items with at least one passage. */
  sources: number;
  /** The `content_version` that it was made from. */
  content_version: number;
  /** The build of the run that last found it up to date; absent if that is the one that made it. */
  confirmed_by?: string;
  /** When it was made or last confirmed. */
  trained_at: Date;
}

/** One file in the object store, see `buildFileKey`. */
export interface BuildFile {
  /** In hex. */
  sha256: string;
  bytes: number;
}

/** A training's use of the embedding model. */
export interface EmbeddingUsage {
  /** Texts embedded. */
  embedded: number;
  /** Texts whose vectors were known. */
  reused: number;
  /** Requests, without their retries. */
  calls: number;
  /** In the embedded texts, estimated by their length. */
  tokens: number;
}

/** A live build, and what kind of item it is of. */
export interface LiveItem extends LiveBuild {
  type: KnowledgeType;
}

/**
 * Statistics of a build's own headings and FAQ questions about evidence in it: each was asked of it with its section and without.
 * All numbers are shrunk towards those of its embedding model, the more the fewer there were.
 */
export interface Calibration {
  /** `CALIBRATION`; one of another version counts as none. */
  version: number;
  /** How many were asked. */
  questions: number;
  /** Mean cosine of such a question with all chunks of other sections, and with the nearest of them; 0 without vectors. */
  far: number;
  near: number;
  /** Factor of the log-odds; `offset` is added then. */
  scale: number;
  offset: number;
}

/** The version of what calibrations are relative to: features and their weights. */
export const CALIBRATION = 2;

/** The output of one run of a training. Once it is no longer needed it is retired, emptied twice, and deleted. */
export interface BuildDoc {
  /** `buildId(item, fence)` */
  _id: string;
  account: string;
  item: string;
  generation: number;
  fence: number;
  /** The embedding model of its vectors; null if it has none. */
  model: string | null;
  /** As it was last uploaded, be it finished or not. */
  file?: BuildFile;
  created_at: Date;
  retired_at: Date | null;
  emptied_at: Date | null;
}

export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;

/** The largest transcript that may be uploaded, in bytes of UTF-8. */
export const MAX_TRANSCRIPT_BYTES = 1_000_000;

/** The id of the build that a claim writes. */
export const buildId = (item: string, fence: number): string => `${item}:${fence}`;

/** The fence of the build that has the pages of the latest training. */
export const pagesFence = ({ training }: Pick<KnowledgeItemDoc, 'training'>): number =>
  training.pages_fence ?? training.fence;
