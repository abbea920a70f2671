import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import type { Log } from '../log.ts';
import type { Component } from '../process.ts';
import { type Migration, migrate } from './migrations.ts';

export interface MongoConfig {
  uri: string;
  database: string;
}

export interface Mongo extends Component {
  db: Db;
}

const OPERATION_MS = 10_000;

/**
 * A service's own database. Reads and writes are acknowledged by the majority and journaled; every operation ends within
 * ten seconds. `start` waits for the server, then brings the data to the current migration.
 */
export function openMongo(config: MongoConfig, migrations: Migration[], log: Log): Mongo {
  const client = new MongoClient(config.uri, {
    ignoreUndefined: true,
    readPreference: 'primary',
    // The embedded engine names its own in its address: a single node, it journals before it answers for w=1 alone.
    ...(/[?&]w=/.test(config.uri) ? {} : { writeConcern: { w: 'majority', journal: true } }),
    // A standalone server has none; operation ids make our own retries safe.
    retryWrites: false,
    retryReads: true,
    socketTimeoutMS: OPERATION_MS,
    connectTimeoutMS: 5_000,
    serverSelectionTimeoutMS: 5_000,
    waitQueueTimeoutMS: OPERATION_MS,
    maxPoolSize: 50,
  });
  const db = client.db(config.database);
  const ping = () => db.command({ ping: 1 });

  return {
    name: 'mongodb',
    db,
    async start(signal) {
      for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 5_000)) {
        try {
          // By itself the client connects once: after a first try in vain it stays closed.
          await client.connect();
          await ping();
          break;
        } catch (error) {
          signal.throwIfAborted();
          log.warn({ err: error }, 'MongoDB is away; waiting for it');
          await sleep(waitMs, undefined, { signal });
        }
      }
      await migrate(db, migrations, log, signal);
    },
    async ready() {
      await ping().catch((error) => {
        throw new Error('MongoDB is away', { cause: error });
      });
    },
    stop: () => client.close(),
  };
}
