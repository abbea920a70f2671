import type { Db } from 'mongodb';
import type { Log } from '../log.ts';
import { CannotRun, unlessAborted } from '../process.ts';
import { isNewer, VERSION } from '../release.ts';
import { withLease } from './lease.ts';

/**
 * One step of a service's stored data. Idempotent, and safe to run concurrently with itself: a process may die halfway and
 * another runs it again while the database still executes the operations of the first.
 */
export interface Migration {
  /** Counts up from 1; never reused. */
  number: number;
  name: string;
  /**
   * The oldest release that may still run on data that this step has changed. One that only adds says the release before, or an
   * older one. One that removes or renames what a release reads says the first release that does without: see UPGRADING.md.
   */
  beside: string;
  run(db: Db, signal: AbortSignal): Promise<void>;
}

/** A database without a time limit on operations. Closing it ends those in progress. */
export interface UnboundedDb {
  db: Db;
  close(): Promise<void>;
}

interface Applied {
  _id: number;
  name: string;
  /** Absent: only releases that know it run on it. */
  beside?: string;
  applied_at: Date;
}

const LEASE_MS = 30_000;

/**
 * Runs pending migrations in order, in one process at a time; the others wait. A migration may take hours; the log reports
 * that it is running. Rejects as soon as `signal` aborts.
 *
 * @param options.open opens the database for the migrations alone, if `db` limits the time of an operation.
 * @throws CannotRun if a newer release has migrated the database, and this one may not run beside it.
 */
export async function migrate(
  db: Db,
  migrations: Migration[],
  log: Log,
  signal: AbortSignal,
  options: { open?(): UnboundedDb; sayEveryMs?: number; release?: string } = {},
): Promise<void> {
  const { open = () => ({ db, close: async () => {} }), sayEveryMs = 10_000, release = VERSION } = options;
  const done = db.collection<Applied>('migrations');
  const pending = async () => {
    const applied = await done.find().sort({ _id: 1 }).toArray();
    refuseNewer(db.databaseName, release, migrations, applied);
    const numbers = new Set(applied.map(({ _id }) => _id));
    return migrations.filter(({ number }) => !numbers.has(number)).sort((a, b) => a.number - b.number);
  };
  if ((await pending()).length === 0) return;
  await withLease(db, 'migrations', { ttlMs: LEASE_MS, signal }, async (held) => {
    const unbounded = open();
    try {
      for (const migration of await pending()) {
        await runOne(migration, unbounded.db, log, held, sayEveryMs);
        await done.updateOne(
          { _id: migration.number },
          { $set: { name: migration.name, beside: migration.beside }, $currentDate: { applied_at: true } },
          { upsert: true },
        );
        log.info({ migration: migration.number, name: migration.name }, 'migrated');
      }
    } finally {
      await unbounded.close();
    }
  });
}

async function runOne({ number, name, run }: Migration, db: Db, log: Log, held: AbortSignal, sayEveryMs: number) {
  const began = performance.now();
  const about = { database: db.databaseName, migration: number, name };
  const saying = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    log.warn({ ...about, seconds }, 'a migration is still running; the process starts when it has ended');
  }, sayEveryMs);
  log.info(about, 'migrating');
  try {
    await unlessAborted(held, run(db, held));
  } finally {
    clearInterval(saying);
  }
}

/** An older release must not write to data that a newer one has migrated, unless that one says that it may. */
function refuseNewer(database: string, release: string, migrations: Migration[], applied: Applied[]): void {
  const known = Math.max(0, ...migrations.map(({ number }) => number));
  const refuses = ({ _id, beside }: Applied) => _id > known && (beside === undefined || isNewer(beside, release));
  const latest = applied.findLast(refuses);
  if (!latest) return;
  const which = latest.beside === undefined ? 'no older release runs' : `${latest.beside} and later run`;
  throw new CannotRun(
    `The database ${database} was migrated by a newer release of Parley (migration ${latest._id}, ${latest.name}), on whose data ${which}; this is ${release}. Run that release or a later one, or restore a backup from before the upgrade.`,
  );
}
