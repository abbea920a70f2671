import { DatabaseSync } from 'node:sqlite';
import type { StoredObject } from '../objects/objects.ts';

/** A file of a backup. */
export interface ListedFile extends StoredObject {
  key: string;
  contentType: string;
  /** When the original was stored, in milliseconds since the epoch. */
  modified: number;
}

export type FileList = ReturnType<typeof openFileList>;

/** The list of the files of a backup, on disk: a backup may have more of them than memory has room for. */
export function openFileList(path: string) {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE IF NOT EXISTS files (
    key TEXT PRIMARY KEY, size INTEGER NOT NULL, sha256 TEXT NOT NULL, content_type TEXT NOT NULL,
    modified INTEGER NOT NULL, round INTEGER NOT NULL) WITHOUT ROWID`);
  const add = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)');
  const see = db.prepare('UPDATE files SET round = ? WHERE key = ? AND size = ? AND modified = ?');
  const forget = db.prepare('DELETE FROM files WHERE key = ?');
  const unseen = db.prepare('SELECT key FROM files WHERE round < ? ORDER BY key LIMIT 1');
  const total = db.prepare('SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM files');
  const all = db.prepare('SELECT key, size, sha256, content_type AS contentType, modified FROM files ORDER BY key');
  return {
    add: ({ key, size, sha256, contentType, modified }: ListedFile, round: number) =>
      void add.run(key, size, sha256, contentType, modified, round),
    /** True if this very file has been copied already; it counts as seen in this round then. */
    has: ({ key, size, modified }: Pick<ListedFile, 'key' | 'size' | 'modified'>, round: number): boolean =>
      see.run(round, key, size, modified).changes > 0,
    forget: (key: string) => void forget.run(key),
    /** A file that was not seen in this round. */
    unseen: (round: number): string | undefined => (unseen.get(round) as { key: string } | undefined)?.key,
    total: () => total.get() as { count: number; bytes: number },
    all: () => all.iterate() as IterableIterator<unknown> as IterableIterator<ListedFile>,
    close: () => db.close(),
  };
}
