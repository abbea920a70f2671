/** The documents of what items consist of. Names are the database's own. */

/**
 * A source of an item as one run found it: a page of a website, a part of a document, the transcript of a video, an item of
 * an FAQ. Clients see those of the latest run.
 */
export interface SubPageDoc {
  /** deriveId(build, page_url) */
  _id: string;
  account: string;
  item: string;
  build: string;
  /** The page's path, or the position of any other source in digits that sort as strings. Unique in the build; orders it. */
  page_url: string;
  /** The name of a source that is no page, such as `page 12` of a document. */
  name?: string;
  /** The FAQ item that this was. It may have been deleted since. */
  faq_item?: string;
  /** A page's is in `content`. */
  title?: string;
  trained_at: Date | null;
  training_failed_at: Date | null;
  training_failed_with: string | null;
  /** Why part of the source is not searched, as a sentence. */
  training_note?: string;
  /** The size of a page's response, or of another source's text. Absent if there was none. */
  bytes?: number;
  chunks?: number;
  /** Absent on pages that failed. Object keys start with the build's prefix. */
  content?: {
    hash: string;
    etag?: string;
    last_modified?: string;
    title: string;
    links: string[];
    raw_key: string;
    text_key: string;
    /** The version of the code that wrote the text. */
    extraction: number;
    content_type?: string;
    /** BCP 47 tag, if the page or its server says so. */
    language?: string;
    /** The share of the visible text that is trained, from 0 to 1. */
    kept?: number;
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
  /** A tombstone is kept for a day, so that a retry of its creation or deletion finds it. */
  deleted_at: Date | null;
  deleted_by?: string;
  /** Set by the write that adds or deletes it, until the FAQ's `content_version` has been incremented for it. */
  uncounted?: true;
}
