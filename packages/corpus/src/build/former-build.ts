import { DatabaseSync } from 'node:sqlite';
import type { ChunkOrigin, NewChunk } from '../chunk.ts';
import type { Calibration } from '../model.ts';
import { passageOf } from './open-build.ts';
import { toVector } from './vector-rows.ts';

/** A row of vectors belongs to the block with the largest first number up to its own. */
const WITH_ROW = `
  SELECT passages.*, substr(vectors.rows, 1 + (n - first) * dimension, dimension) AS row
  FROM passages LEFT JOIN vectors ON first = (SELECT max(first) FROM vectors WHERE first <= n)`;

export type FormerBuild = ReturnType<typeof openFormerBuild>;

/** Opens an earlier build for what a training takes over from it, be it finished or not. */
export function openFormerBuild(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  const about = db.prepare('SELECT calibration FROM build').get()?.['calibration'];
  const origin = db.prepare('SELECT origin FROM passages WHERE source = ? AND place = 0');
  const first = db.prepare(`${WITH_ROW} WHERE source = ? ORDER BY place LIMIT ?`);
  const batch = db.prepare(`${WITH_ROW} WHERE n >= ? ORDER BY n LIMIT ?`);
  const known = db.prepare(`${WITH_ROW} WHERE hash IN (SELECT value FROM json_each(?))`);
  return {
    /** Absent if the build was not finished, or could not be asked. */
    calibration: typeof about === 'string' ? (JSON.parse(about) as Calibration) : undefined,
    /** Returns what a source was made from; undefined for one that the build lacks, or lacks the end of. */
    origin(source: string): ChunkOrigin | undefined {
      const stored = origin.get(source)?.['origin'];
      return typeof stored === 'string' ? JSON.parse(stored) : undefined;
    },
    /** The first chunks of a source. */
    ofSource: (source: string, limit: number): NewChunk[] => first.all(source, limit).map(chunkOf),
    /** Chunks from a number on. */
    batch: (from: number, limit: number): NewChunk[] => batch.all(from, limit).map(chunkOf),
    /** The vectors of texts, by their hashes. */
    vectors(hashes: readonly string[]): Map<string, Float32Array> {
      const found = known.all(JSON.stringify(hashes)).map(chunkOf);
      return new Map(found.flatMap(({ text_hash, vector }) => (vector ? [[text_hash, vector]] : [])));
    },
    close: () => db.close(),
  };
}

function chunkOf(row: Readonly<Record<string, unknown>>): NewChunk {
  const { n: _, terms: __, ...passage } = passageOf(row);
  const { hash, origin, row: vector } = row;
  return {
    ...passage,
    text_hash: String(hash),
    ...(typeof origin === 'string' && { origin: JSON.parse(origin) }),
    vector: vector ? (toVector(new Int8Array((vector as Uint8Array<ArrayBuffer>).buffer)) ?? null) : null,
  };
}
