import type { Db } from 'mongodb';
import { createLog } from '../log.ts';
import { openMongo } from '../mongo/connect.ts';
import type { Migration } from '../mongo/migrations.ts';
import { type FreshDatabase, freshDatabase } from './fresh-database.ts';

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

/** Runs the migrations up to a number on a database that a test has its own connection to. */
export async function migrateTo({ uri, name }: Pick<FreshDatabase, 'uri' | 'name'>, all: Migration[], number: number) {
  const known = all.filter((migration) => migration.number <= number);
  const mongo = openMongo({ uri, database: name }, known, createLog('test', 'silent'));
  await mongo.start?.(new AbortController().signal);
  await mongo.stop?.();
}
