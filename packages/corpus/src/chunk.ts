import { createHash } from 'node:crypto';
import type { Joint } from '@parley/reading/split';

/** A piece of a source, which search can find. */
export interface Passage {
  /** page_url, the id of the FAQ item, or a place in the document. */
  source: string;
  /** 0 is the first of its source. */
  index: number;
  title: string;
  /** Its web address, with the anchor of its section if that has one; empty if it has none. */
  url: string;
  /** Without the headings above it. */
  text: string;
  /** The headings that it stands under, outermost first. */
  headings?: readonly string[];
  /** The number of its section in its source: passages of a section follow each other. Absent: a section of its own. */
  section?: number;
  /** How `joinChunks` appends it to the passage before it in its section; absent: as a paragraph of its own. */
  joint?: Joint;
  /** BCP 47 tag of the source's language, if that is known. */
  language?: string;
}

/** A passage to store: (source, index) is unique in its build. */
export interface NewChunk extends Passage {
  /** A hash of the embedded text: a later build with the same model reuses the vector. */
  text_hash: string;
  /** Set on a source's first passage, if all of the source is searched: a later training compares it. */
  origin?: ChunkOrigin;
  /** Unit vector of the build's model; null without one. */
  vector: Float32Array | null;
}

/** The input from which the passages of a source were made. */
export interface ChunkOrigin {
  /** Hash of everything that the chunks depend on, except the embedding model. */
  hash: string;
  /** Their number. */
  chunks: number;
}

/** SHA-256 of a text, in hex. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');
