import type { Db } from 'mongodb';
import type { Log } from '../log.ts';
import { withLease } from './lease.ts';

/** One step of a service's stored data. Idempotent: a process may die in the middle and another one runs it again. */
export interface Migration {
  /** Counts up from 1, and is never reused. */
  number: number;
  name: string;
  run(db: Db, signal: AbortSignal): Promise<void>;
}

const LEASE_MS = 30_000;

/** Runs what has not been run yet, in order, in one process at a time; the others wait. */
export async function migrate(db: Db, migrations: Migration[], log: Log, signal: AbortSignal): Promise<void> {
  const done = db.collection<{ _id: number; name: string; applied_at: Date }>('migrations');
  const pending = async () => {
    const applied = new Set((await done.find().toArray()).map((m) => m._id));
    return migrations.filter((m) => !applied.has(m.number)).sort((a, b) => a.number - b.number);
  };
  if ((await pending()).length === 0) return;
  await withLease(db, 'migrations', { ttlMs: LEASE_MS, signal }, async (held) => {
    for (const migration of await pending()) {
      await migration.run(db, held);
      held.throwIfAborted();
      await done.updateOne(
        { _id: migration.number },
        { $set: { name: migration.name }, $currentDate: { applied_at: true } },
        { upsert: true },
      );
      log.info({ migration: migration.number, name: migration.name }, 'migrated');
    }
  });
}
