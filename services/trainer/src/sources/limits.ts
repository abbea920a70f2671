import type { KnowledgeType, LiveBuild } from '@parley/corpus';
import type { DocumentLimits } from '@parley/reading/documents';
import type { CrawlEnd } from '../crawl/crawl.ts';
import type { CrawlLimits } from '../crawl/crawl-limits.ts';
import { LoadError } from '../crawl/http/load-error.ts';

/** Limits on the search memory and the trainer time that one training may use. */
export interface TrainingLimits {
  readonly pageChunks: number;
  readonly itemChunks: number;
  /** For the live builds of all items of an account together. */
  readonly accountChunks: number;
  readonly millis: number;
}

export interface Limits {
  readonly crawl: CrawlLimits;
  readonly document: DocumentLimits;
  readonly training: TrainingLimits;
}

/** Why a source, or the end of one, is not searched. */
export interface LeftOut {
  reason: string;
  /** No part of the source is searched. */
  all: boolean;
}

/** One run's chunks, the room that is left, and the limits that it has hit. */
export interface ChunkQuota {
  /** The maximum for one source. */
  readonly pageChunks: number;
  /** How many of a source's chunks may be written, from the first. Counts them as written. */
  grant(chunks: number): number;
  /** Out of time. */
  readonly isLate: boolean;
  /** Nothing more may be written. */
  readonly isFull: boolean;
  /** Records that a source was not written completely. */
  leftOut(wanted: number, written: number): LeftOut | undefined;
  /** Records that loading stopped because nothing more may be written. */
  stopped(): void;
  /** Records what a loader left out, as a sentence. */
  note(sentence: string): void;
  /** Records how a crawl ended. */
  crawled(end: CrawlEnd): void;
  /** One sentence for each limit that was hit. */
  readonly notes: string[];
  /** @throws LoadError if the run was cut short with less than the live build has. */
  checkFuller(live: LiveBuild | null, chunks: number, sources: number): void;
}

/** @param othersChunks chunks in the account's other items. @throws LoadError if they leave no room. */
export function createChunkQuota(limits: Limits, type: KnowledgeType, othersChunks: number): ChunkQuota {
  const { pageChunks, itemChunks, accountChunks, millis } = limits.training;
  const sentences = sentencesOf(limits, type);
  const most = Math.min(itemChunks, accountChunks - othersChunks);
  if (most <= 0) throw new LoadError(sentences.noRoom(othersChunks));
  const fullBy = itemChunks <= accountChunks - othersChunks ? sentences.item : sentences.account(othersChunks);
  const endsAt = performance.now() + millis;
  const hit = new Set<string>();
  let granted = 0;
  let longPages = 0;
  let cutBy: string | undefined;

  const isLate = () => performance.now() >= endsAt;

  function stopped(): string {
    const limit = granted >= most ? fullBy : sentences.time;
    if (limit === sentences.time) cutBy = limit;
    hit.add(limit);
    return limit;
  }

  function reasonOf(wanted: number, written: number): string {
    if (written < Math.min(wanted, pageChunks)) return stopped();
    longPages++;
    return sentences.page;
  }

  return {
    pageChunks,
    grant(chunks) {
      const some = Math.min(chunks, pageChunks, most - granted);
      granted += some;
      return some;
    },
    get isLate() {
      return isLate();
    },
    get isFull() {
      return granted >= most || isLate();
    },
    leftOut(wanted, written) {
      return written < wanted ? { reason: reasonOf(wanted, written), all: written === 0 } : undefined;
    },
    stopped() {
      stopped();
    },
    note(sentence) {
      hit.add(sentence);
    },
    crawled({ limits, notes }) {
      for (const limit of limits) {
        hit.add(sentences.crawl[limit]);
        if (limit === 'time' || limit === 'bytes') cutBy = sentences.crawl[limit];
      }
      for (const note of notes) hit.add(note);
    },
    get notes() {
      return [...hit, ...(longPages > 0 ? [sentences.pages(longPages)] : [])];
    },
    checkFuller(live, chunks, sources) {
      if (!cutBy || !live) return;
      // The limits may be lower by now than when the live build was made.
      if (chunks >= Math.min(live.chunks, most) && sources >= live.sources) return;
      throw new LoadError(`${cutBy} That is less than the previous training read, so its result was kept.`);
    },
  };
}

/** The sources of each type, with their article. */
const SOURCE_NAMES: Record<KnowledgeType, { source: string; sources: string; a: string }> = {
  website: { source: 'page', sources: 'pages', a: 'a' },
  faq: { source: 'FAQ item', sources: 'FAQ items', a: 'an' },
  video: { source: 'video', sources: 'videos', a: 'a' },
  document: { source: 'page or part', sources: 'pages or parts', a: 'a' },
};

function sentencesOf({ crawl, training }: Limits, type: KnowledgeType) {
  const { source, sources, a } = SOURCE_NAMES[type];
  const { pageChunks, itemChunks, accountChunks, millis } = training;
  const count = (number: number) => number.toLocaleString('en');
  const minutes = (ms: number) => `${count(Math.ceil(ms / 60_000))} minute${ms > 60_000 ? 's' : ''}`;
  const time = `The training was stopped after ${minutes(millis)} (TRAINING_MAX_MINUTES), before all was read.`;
  const accountHas = (others: number) =>
    `an account may have ${count(accountChunks)} chunks (TRAINING_MAX_ACCOUNT_CHUNKS), and its other knowledge has ${count(others)}`;
  return {
    time,
    page: `Only the first ${count(pageChunks)} chunks of this ${source} are searched, the most that ${a} ${source} may have (TRAINING_MAX_PAGE_CHUNKS).`,
    pages: (long: number) =>
      `${long === 1 ? `One ${source} has` : `${count(long)} ${sources} have`} more than ${count(pageChunks)} chunks, the most that ${a} ${source} may have (TRAINING_MAX_PAGE_CHUNKS). What comes later is not searched.`,
    item: `The training stopped at ${count(itemChunks)} chunks, the most that an item may have (TRAINING_MAX_ITEM_CHUNKS). What comes later is not searched.`,
    account: (others: number) =>
      `The training stopped at ${count(accountChunks - others)} chunks: ${accountHas(others)}. What comes later is not searched.`,
    noRoom: (others: number) =>
      `There is no room for more: ${accountHas(others)}. Delete some of it, then train again.`,
    crawl: {
      pages: `The site has more pages than the ${count(crawl.pages)} that were read (CRAWL_MAX_PAGES).`,
      depth: `Pages that are more than ${count(crawl.depth)} links away from the start were not read (CRAWL_MAX_DEPTH).`,
      bytes: `The site was read no further than ${count(crawl.bytes / (1024 * 1024))} MiB (CRAWL_MAX_MIB).`,
      time:
        millis <= crawl.millis
          ? time
          : `The site was read no longer than ${minutes(crawl.millis)} (CRAWL_MAX_MINUTES).`,
    },
  };
}
