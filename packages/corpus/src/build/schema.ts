import type { Calibration } from '../model.ts';

/*
 * A build is one SQLite file, written once and never changed. Passages are numbered from 0; that number is their place in
 * the full-text table, in `vectors` and in `lengths`, too.
 */

/** The version of the tables below; a file of another version is not read. */
export const FORMAT = 1;

/** A block is scanned, and kept in memory, as a whole. */
export const BLOCK_BYTES = 1024 * 1024;

export const rowsInBlock = (dimension: number): number => Math.max(1, Math.floor(BLOCK_BYTES / dimension));

/**
 * `terms` is what the text, its title and its headings are searched by: our own stems, so that SQLite only splits them at
 * spaces. The full-text table says which passages hold a term, `terms` of a passage how often. A row of a block is a vector
 * as int8, scaled so that its largest number is 127: only its direction counts.
 */
export const SCHEMA = `
  CREATE TABLE build (
    model TEXT, dimension INTEGER NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL,
    languages TEXT NOT NULL, calibration TEXT, lengths BLOB NOT NULL
  );
  CREATE TABLE passages (
    n INTEGER PRIMARY KEY, source TEXT NOT NULL, place INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL,
    text TEXT NOT NULL, headings TEXT NOT NULL, section INTEGER, joint TEXT, language TEXT, terms TEXT NOT NULL,
    hash BLOB NOT NULL, origin TEXT
  );
  CREATE UNIQUE INDEX passages_by_source ON passages (source, place);
  CREATE INDEX passages_by_hash ON passages (hash);
  CREATE VIRTUAL TABLE search USING fts5 (terms, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'");
  CREATE VIRTUAL TABLE search_terms USING fts5vocab (search, row);
  CREATE TABLE terms (term TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE vectors (first INTEGER PRIMARY KEY, dimension INTEGER NOT NULL, rows BLOB NOT NULL);
  PRAGMA user_version = ${FORMAT};
`;

/** A build's description of itself. */
export interface BuildInfo {
  /** The embedding model of its vectors; undefined if it has none. */
  readonly model: string | undefined;
  /** The length of its vectors; 0 if it has none. */
  readonly dimension: number;
  readonly passages: number;
  /** Terms in all passages. */
  readonly words: number;
  /** The languages that passages were analyzed in, with the number of passages. */
  readonly languages: Readonly<Record<string, number>>;
  readonly calibration?: Calibration | undefined;
}

/** Terms as the full-text table reads them: letters, digits and underscores, between spaces. */
export const searchable = (terms: readonly string[]): string =>
  terms.join(' ').replace(/[^\w\u0080-\u{10ffff} ]/gu, '_');
