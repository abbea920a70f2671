import { createLog } from '../../log.ts';
import { openMongo } from '../../mongo/connect.ts';
import type { Bus } from '../bus.ts';
import { BUS_MIGRATIONS } from '../mongo/log.ts';
import { createMongoBus } from '../mongo/mongo-bus.ts';

/** Times short enough for tests. */
export const TEST_TIMING = { pollMs: 50, leaseMs: 2_000, firstRestMs: 20, longestRestMs: 100, maxAttempts: 4 };

/**
 * Opens and starts a bus with its own connection for the contract's tests, in their own process and in child processes.
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
