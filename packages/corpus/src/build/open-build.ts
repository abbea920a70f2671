import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Passage } from '../chunk.ts';
import { type BuildInfo, FORMAT } from './schema.ts';

/** Files are read through the system's cache, not mapped into memory: a mapped file that is cut short kills the process. */
const PAGE_CACHE_KIB = 256;

/** Passages on each side of one that may be of its section: bounds the cost. */
const NEIGHBOURS = 100;

/** The columns of a passage; its hash and origin are for trainings only. */
const COLUMNS = 'n, source, place, title, url, text, headings, section, joint, language, terms';

/** Terms of one beginning that are read. */
const MAX_TERMS = 5_000;

/** A passage of a build, with its terms between spaces. */
export interface NumberedPassage extends Passage {
  readonly n: number;
  readonly terms: string;
}

/** The rows of vectors from passage `first` on. */
export interface Block {
  readonly first: number;
  readonly rows: Int8Array;
}

let nextId = 1;

export type OpenBuild = ReturnType<typeof readBuild>;

/** Opens the file of a finished build. @throws Error if it is none. */
export function openBuild(path: string): OpenBuild {
  // Nobody changes the file, so no statement need lock it, or look whether it has changed.
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    db.exec(`PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
    return readBuild(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A finished build, ready to be searched. */
export function readBuild(db: DatabaseSync) {
  const version = db.prepare('PRAGMA user_version').get()!['user_version'];
  if (version !== FORMAT) throw new Error(`The build has the format ${version}, not ${FORMAT}.`);
  const stored = db.prepare('SELECT * FROM build').get()!;
  const holding = db.prepare('SELECT term, passages FROM terms WHERE term IN (SELECT value FROM json_each(?))');
  const like = db.prepare(
    'SELECT term FROM terms WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?',
  );
  const match = db.prepare(
    'SELECT json_group_array(rowid) AS found FROM (SELECT rowid FROM search WHERE search MATCH ? LIMIT ?)',
  );
  const block = db.prepare('SELECT rows FROM vectors WHERE first = ?');
  const termsOf = db.prepare('SELECT n, terms FROM passages WHERE n IN (SELECT value FROM json_each(?))');
  const passage = db.prepare(`SELECT ${COLUMNS} FROM passages WHERE n = ?`);
  const near = db.prepare(`SELECT ${COLUMNS} FROM passages WHERE source = ? AND place BETWEEN ? AND ? ORDER BY place`);
  return {
    /** Unique to this opening. */
    id: nextId++,
    info: infoOf(stored),
    /** In terms, by passage. */
    lengths: new Uint16Array(bytesOf(stored['lengths']).buffer),
    /** The number of the first passage of each block, ascending. */
    blocks: db
      .prepare('SELECT first FROM vectors ORDER BY first')
      .all()
      .map(({ first }) => Number(first)),
    /** How many passages hold each of the terms, for those that any holds. */
    holding: (terms: readonly string[]): Map<string, number> =>
      new Map(holding.all(JSON.stringify(terms)).map(({ term, passages }) => [String(term), Number(passages)])),
    /** The terms with this beginning that have so many characters. */
    termsLike: (beginning: string, from: number, to: number): string[] =>
      like.all(beginning, `${beginning}\u{10ffff}`, from, to, MAX_TERMS).map(({ term }) => String(term)),
    /** The passages that hold any of the terms, ascending, at most `limit`. */
    found(terms: readonly string[], limit: number): number[] {
      const query = terms.map((term) => `"${term}"`).join(' OR ');
      return JSON.parse(String(match.get(query, limit)!['found']));
    },
    block(first: number): Block {
      const { buffer } = bytesOf(block.get(first)!['rows']);
      return { first, rows: new Int8Array(buffer) };
    },
    /** The terms of passages, between spaces. */
    termsOf: (numbers: readonly number[]): Map<number, string> =>
      new Map(termsOf.all(JSON.stringify(numbers)).map(({ n, terms }) => [Number(n), String(terms)])),
    passage: (n: number): NumberedPassage => passageOf(passage.get(n)!),
    /** A passage of a source with those around it, in order. */
    around: (source: string, place: number): NumberedPassage[] =>
      near.all(source, place - NEIGHBOURS, place + NEIGHBOURS).map(passageOf),
    close: () => db.close(),
  };
}

type Row = Readonly<Record<string, unknown>>;

function infoOf({ model, dimension, passages, words, languages, calibration }: Row): BuildInfo {
  return {
    model: model === null ? undefined : String(model),
    dimension: Number(dimension),
    passages: Number(passages),
    words: Number(words),
    languages: JSON.parse(String(languages)),
    ...(calibration !== null && { calibration: JSON.parse(String(calibration)) }),
  };
}

export function passageOf(row: Row): NumberedPassage {
  const { n, source, place, title, url, text, headings, section, joint, language, terms } = row;
  return {
    ...{ n: Number(n), source: String(source), index: Number(place), title: String(title), url: String(url) },
    ...{ text: String(text), headings: JSON.parse(String(headings)), terms: String(terms) },
    ...(section !== null && { section: Number(section) }),
    ...(joint !== null && { joint: JSON.parse(String(joint)) }),
    ...(language !== null && { language: String(language) }),
  };
}

/** SQLite returns each blob in memory of its own. */
const bytesOf = (blob: unknown): Uint8Array<ArrayBuffer> => blob as Uint8Array<ArrayBuffer>;
