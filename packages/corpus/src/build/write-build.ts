import { DatabaseSync } from 'node:sqlite';
import { createAnalyzer, languageOf } from '@parley/language';
import type { NewChunk } from '../chunk.ts';
import type { Calibration } from '../model.ts';
import { rowsInBlock, SCHEMA, searchable } from './schema.ts';
import { toRow } from './vector-rows.ts';

/** How much of a passage is read to detect a language that is not known. */
const DETECTED_CHARACTERS = 400;
const LONGEST = 65_535;

export interface BuildWriter {
  readonly db: DatabaseSync;
  /** Adds passages. One whose source and index the build has already is left out. After an error, the file is of no use. */
  add(chunks: readonly NewChunk[]): void;
  /** The number of passages added. */
  readonly passages: number;
  /** The length of their vectors; 0 without any. */
  readonly dimension: number;
  /** After it, the file has all that was added; before, the latest vectors may be missing. */
  flush(): void;
  /** Nothing can be added any more. @param about what the build is to know about itself, besides what it counts. */
  finish(about?: { model?: string | null | undefined; calibration?: Calibration | undefined }): void;
}

/**
 * Writes a build to a new file, or in memory (`:memory:`). Nothing makes the file survive a crash: it counts once it is
 * uploaded.
 */
export function createBuildWriter(path: string): BuildWriter {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096; ${SCHEMA}`);
  const insert = db.prepare(
    'INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, place) DO NOTHING',
  );
  const insertTerms = db.prepare('INSERT INTO search (rowid, terms) VALUES (?, ?)');
  const insertBlock = db.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)');
  const analyze = createAnalyzer();
  const languages: Record<string, number> = {};
  const lengths: number[] = [];
  /** Rows of vectors by the first one's number; all but the last are complete. */
  let block = { first: 0, rows: [] as Int8Array<ArrayBuffer>[] };
  let dimension = 0;

  function addOne(chunk: NewChunk) {
    const { source, title, url, text, headings = [], section, joint, vector, text_hash, origin } = chunk;
    const whole = [title, ...headings, text].join('\n');
    const language = analyze.analyzed(chunk.language ?? languageOf(whole.slice(0, DETECTED_CHARACTERS)));
    const found = analyze(whole, language);
    const terms = searchable(found);
    const n = lengths.length;
    const values = [n, source, chunk.index, title, url, text, JSON.stringify(headings), section ?? null, jsonOf(joint)];
    const { changes } = insert.run(...values, chunk.language ?? null, terms, text_hash, jsonOf(origin));
    if (changes === 0) return;
    insertTerms.run(n, terms);
    languages[language] = (languages[language] ?? 0) + 1;
    lengths.push(Math.min(found.length, LONGEST));
    if (vector || dimension > 0) addVector(n, vector);
  }

  function addVector(n: number, vector: Float32Array | null) {
    dimension ||= vector!.length;
    if (vector && vector.length !== dimension)
      throw new Error(`A build holds vectors of ${dimension} and of ${vector.length} numbers. Train it again.`);
    if (block.rows.length === 0 || block.rows.length === rowsInBlock(dimension)) {
      storeBlock();
      block = { first: n, rows: [] };
    }
    block.rows.push(toRow(vector, dimension));
  }

  function storeBlock() {
    if (block.rows.length > 0)
      insertBlock.run(block.first, dimension, Buffer.concat(block.rows.map(({ buffer }) => Buffer.from(buffer))));
  }

  function together(act: () => void) {
    db.exec('BEGIN');
    act();
    db.exec('COMMIT');
  }

  return {
    db,
    add: (chunks) =>
      together(() => {
        for (const chunk of chunks) addOne(chunk);
      }),
    get passages() {
      return lengths.length;
    },
    get dimension() {
      return dimension;
    },
    flush: storeBlock,
    finish({ model = null, calibration } = {}) {
      const words = lengths.reduce((sum, length) => sum + length, 0);
      const counted = [model, dimension, lengths.length, words, JSON.stringify(languages)] as const;
      together(() => {
        storeBlock();
        db.exec(
          "INSERT INTO search (search) VALUES ('optimize'); INSERT INTO terms SELECT term, doc FROM search_terms",
        );
        const insertBuild = db.prepare('INSERT INTO build VALUES (?, ?, ?, ?, ?, ?, ?)');
        insertBuild.run(...counted, jsonOf(calibration), Buffer.from(Uint16Array.from(lengths).buffer));
      });
    },
  };
}

const jsonOf = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));
