import type { TrainingJob } from '@parley/corpus';
import type { DocumentLimits } from '@parley/reading/documents';
import type { Piece } from '@parley/reading/split';
import type { CrawlLimits } from '../crawl/crawl-limits.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ChunkQuota, LeftOut } from './limits.ts';

/** The context of a loader, besides the item. */
export interface Run {
  dependencies: Dependencies;
  job: TrainingJob;
  crawlLimits: CrawlLimits;
  documentLimits: DocumentLimits;
  quota: ChunkQuota;
  signal: AbortSignal;
}

/** The reason why a source other than a page is not searched. */
export const NO_TEXT = 'It has no text.';

/**
 * The texts that one step of a training loaded. Each page of a website is a step, so that its state is recorded as soon
 * as it is done.
 */
export interface Step {
  /** Empty if a page could not be read. */
  sources: Source[];
  /** Pages or FAQ items completed by this step; 1 if absent. */
  count?: number;
  /** Pages or FAQ items known so far, including those to come. */
  found: number;
  /** Called after the step's chunks have been stored, with what was stored of each source. */
  done?(written: readonly Written[]): Promise<void>;
}

/** One text with the title and address that a citation shows. */
export interface Source {
  /** Unique in the build: a page's `page_url`, an FAQ item's id, a place in a document, `transcript`. */
  id: string;
  title: string;
  /** Its web address; empty if it has none. */
  url: string;
  /** Plain text or Markdown. */
  text: string;
  /** `text` is encoded blocks, see `encodeBlocks`; their anchors are places at `url`. */
  isBlocks?: boolean;
  /** The text is one section, whatever its headings: an answer that stays whole. */
  isOneSection?: boolean;
  /** If it has been cut already: its passages, of which `text` then has all words, headings and addresses. */
  pieces?: readonly Piece[];
  /** BCP 47 tag, if known. */
  language?: string | undefined;
}

/** The stored part of one text. */
export interface Written {
  readonly chunks: number;
  /** If it was not stored completely. */
  readonly leftOut: LeftOut | undefined;
}

/** The sums, and the first text that was not stored completely. */
export const total = (all: readonly Written[]): Written => ({
  chunks: all.reduce((sum, { chunks }) => sum + chunks, 0),
  leftOut: all.find(({ leftOut }) => leftOut)?.leftOut,
});
