import type { Binary } from 'mongodb';

/** A passage that search can find. */
export interface ChunkDoc {
  /** deriveId(build, source, index) */
  _id: string;
  account: string;
  item: string;
  build: string;
  /** page_url, the id of the FAQ item, or a place in the document. */
  source: string;
  /** 0 is the first of its source. */
  index: number;
  title: string;
  /** Its web address, with the anchor of its section if that has one; empty if it has none. */
  url: string;
  /** Without the headings above it; if an earlier version wrote it, with them. */
  text: string;
  /** The headings that it stands under, outermost first. Absent if an earlier version wrote it. */
  headings?: string[];
  /** The number of its section in its source: chunks of a section follow each other. Absent like `headings`. */
  section?: number;
  /** How `joinChunks` appends it to the chunk before it in its section; absent: as a paragraph of its own. */
  joint?: Joint;
  /** BCP 47 tag of the source's language, if that is known. */
  language?: string;
  /** SHA-256 of the embedded text, in hex: a later build with the same model reuses the vector. */
  text_hash: string;
  /** Of a source's first chunk, if all of the source is searched: what a later training compares. */
  origin?: ChunkOrigin;
  /** Unit vector, float32 little-endian; null if the build has no model. */
  vector: Binary | null;
}

/** What the chunks of a source were made from. */
export interface ChunkOrigin {
  /** Of all that decides about them, but for the embedding model. */
  hash: string;
  /** Their number. */
  chunks: number;
  /** In all of them, including their titles, headings and addresses. */
  characters: number;
}

export interface Joint {
  /** UTF-16 units at the start of `text` that stand in an earlier chunk, such as the sentence that introduces a list. */
  repeated: number;
  /** Between the two texts. */
  separator: string;
}
