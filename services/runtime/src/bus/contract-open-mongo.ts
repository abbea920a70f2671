import { createLog } from '../log.ts';
import { openMongo } from '../mongo/connect.ts';
import type { Bus } from './bus.ts';
import { createMongoBus } from './mongo-bus.ts';
import { BUS_MIGRATIONS } from './mongo-log.ts';

/** What a test may wait for. */
export const TEST_TIMING = { pollMs: 50, leaseMs: 2_000, firstRestMs: 20, longestRestMs: 100, maxAttempts: 4 };

/**
 * Opens and starts a bus with a connection of its own, for the contract's tests, in their process and in its children.
 *
 * @param argument `uri database`
 */
export async function openBus(argument: string): Promise<Bus> {
  const [uri, database] = argument.split(' ');
  const log = createLog('bus-test', 'silent');
  const mongo = openMongo({ uri: uri!, database: database! }, BUS_MIGRATIONS, log);
  await mongo.start?.(AbortSignal.timeout(10_000));
  const bus = createMongoBus({ db: mongo.db, log, timing: TEST_TIMING });
  await bus.start();
  return {
    ...bus,
    async stop() {
      await bus.stop();
      await mongo.stop?.();
    },
  };
}
