import type { Log } from '../log.ts';
import { type MongoConfig, openMongo } from '../mongo/connect.ts';
import type { BusConfig } from '../service-config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Bus } from './bus.ts';
import { createKafkaBus } from './kafka/kafka-bus.ts';
import { BUS_MIGRATIONS } from './mongo/log.ts';
import { createMongoBus } from './mongo/mongo-bus.ts';
import { prefixed } from './prefixed.ts';

/** The configured bus, with its own connections: a component that a process starts and stops. */
export function openBus(config: BusConfig, log: Log, metrics: Metrics): Bus {
  const bus =
    'kafka' in config ? createKafkaBus({ ...config.kafka, log, metrics }) : openMongoBus(config.mongodb, log, metrics);
  return config.prefix ? prefixed(bus, config.prefix) : bus;
}

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
