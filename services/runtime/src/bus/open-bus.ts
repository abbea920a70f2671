import type { Log } from '../log.ts';
import { type MongoConfig, openMongo } from '../mongo/connect.ts';
import type { BusConfig } from '../service-config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Bus } from './bus.ts';
import { createKafkaBus } from './kafka-bus.ts';
import { createMongoBus } from './mongo-bus.ts';
import { BUS_MIGRATIONS } from './mongo-log.ts';

/** The bus that the configuration names, with connections of its own: a component that a process starts and stops. */
export const openBus = (config: BusConfig, log: Log, metrics: Metrics): Bus =>
  'kafka' in config ? createKafkaBus({ ...config.kafka, log, metrics }) : openMongoBus(config.mongodb, log, metrics);

function openMongoBus(config: MongoConfig, log: Log, metrics: Metrics): Bus {
  const mongo = openMongo(config, BUS_MIGRATIONS, log);
  const bus = createMongoBus({ db: mongo.db, log, metrics });
  const stopping = new AbortController();
  return {
    ...bus,
    async start() {
      await mongo.start?.(stopping.signal);
      await bus.start();
    },
    async stop() {
      stopping.abort();
      await bus.stop();
      await mongo.stop?.();
    },
  };
}
