import type { Db } from 'mongodb';
import { createLog } from '../log.ts';
import { openMongo } from '../mongo/connect.ts';
import type { Migration } from '../mongo/migrations.ts';
import { freshDatabase } from './fresh-database.ts';

export interface MigratedDatabase {
  uri: string;
  name: string;
  db: Db;
  /** For `beforeAll`. */
  migrate(): Promise<void>;
  /** For `afterAll`. */
  drop(): Promise<void>;
}

/** A database of its own, with a connection and the indexes of these migrations. */
export function migratedDatabase(migrations: Migration[]): MigratedDatabase {
  const { uri, name, drop } = freshDatabase();
  const mongo = openMongo({ uri, database: name }, migrations, createLog('test', 'silent'));
  return {
    uri,
    name,
    db: mongo.db,
    migrate: async () => mongo.start?.(new AbortController().signal),
    async drop() {
      await mongo.stop?.();
      await drop();
    },
  };
}
