import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import type { Log } from '../log.ts';
import { CannotRun, type Component, unlessAborted, within } from '../process.ts';
import { isTraced } from '../telemetry/tracing.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { LeaseLost } from './lease.ts';
import { type Migration, migrate } from './migrations.ts';
import { traceCommands } from './trace-commands.ts';

export interface MongoConfig {
  uri: string;
  database: string;
  /** Files in PEM, of the certificate to show to the server. */
  tls?: { cert: string; key: string } | undefined;
}

export interface Mongo extends Component {
  db: Db;
}

const OPERATION_MS = 10_000;
/** Otherwise a burst would leave its connections open for as long as the process runs, and each costs the server memory. */
const IDLE_MS = 60_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
const LEAVE_MS = 3_000;

/**
 * A service's own database. Writes are acknowledged by the majority and journaled; every operation except a migration's
 * ends within ten seconds. `start` waits for the server, then runs the migrations that are due.
 *
 * @param operationMs, idleMs, sayEveryMs for tests: the bound of an operation, how long an unused connection stays open, and
 * how often a long migration is logged.
 */
export function openMongo(
  config: MongoConfig,
  migrations: Migration[],
  log: Log,
  { operationMs = OPERATION_MS, idleMs = IDLE_MS, sayEveryMs = 10_000 } = {},
): Mongo {
  const client = mongoClient(config, { ...clientOptions(config, operationMs), maxIdleTimeMS: idleMs });
  traceCommands(client);
  const db = client.db(config.database);
  const ping = () => db.command({ ping: 1 });

  /** @throws CannotRun if one member of a replica set may acknowledge a write that the others then lack. */
  async function refuseWeakWrites() {
    if (client.options.writeConcern?.w === 'majority') return;
    const { setName } = await db.admin().command({ hello: 1 });
    if (setName !== undefined)
      throw new CannotRun(
        `MONGODB_URI asks the replica set ${setName} for less than the majority (w): writes could be lost. Leave w out.`,
      );
  }

  async function connect(signal: AbortSignal) {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        // The client does not try again by itself: once the first attempt has failed, it stays closed.
        await unlessAborted(signal, client.connect());
        await unlessAborted(signal, ping());
        await refuseWeakWrites();
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CannotRun) throw error;
        log.warn({ err: error }, 'MongoDB is unavailable; waiting for it');
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  /** Connects on first use. If the server stops answering, the lease of the migrations ends their operations. */
  function openUnbounded() {
    const unbounded = mongoClient(config, { ...clientOptions(config, 0), maxPoolSize: 4 });
    return { db: unbounded.db(config.database), close: () => unbounded.close() };
  }

  async function connectAndMigrate(signal: AbortSignal) {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      await connect(signal);
      try {
        return await migrate(db, migrations, log, signal, { open: openUnbounded, sayEveryMs });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LeaseLost) && !isDatabaseUnavailable(error)) throw error;
        log.warn({ err: error, database: config.database }, 'a migration was interrupted; running it again');
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  let starting: Promise<void> | undefined;
  return {
    name: 'mongodb',
    db,
    start(signal) {
      starting = connectAndMigrate(signal);
      return starting;
    },
    async ready() {
      await ping().catch((error) => {
        throw new Error('MongoDB is unavailable', { cause: error });
      });
    },
    async stop() {
      // A start that is aborted still has to release its lease.
      await within(LEAVE_MS, starting, '').catch(() => {});
      await client.close();
    },
  };
}

/** Makes a client that shows the server the certificate of the settings, if there is one. */
export const mongoClient = ({ uri, tls }: Pick<MongoConfig, 'uri' | 'tls'>, options: MongoClientOptions): MongoClient =>
  new MongoClient(uri, {
    ...(tls && { tls: true, cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') }),
    ...options,
  });

const clientOptions = ({ uri }: MongoConfig, operationMs: number): MongoClientOptions => ({
  ignoreUndefined: true,
  readPreference: 'primary',
  // The embedded engine's address has its own: a single node journals before it acknowledges only with w=1.
  ...(/[?&]w=/.test(uri) ? {} : { writeConcern: { w: 'majority', journal: true } }),
  // A standalone server has no retryable writes; operation ids make our own retries safe.
  retryWrites: false,
  retryReads: true,
  // 0 means no limit.
  socketTimeoutMS: operationMs,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  waitQueueTimeoutMS: OPERATION_MS,
  maxPoolSize: 50,
  monitorCommands: isTraced(),
});
