import { createLog } from '../../log.ts';
import type { Bus } from '../bus.ts';
import type { KafkaConfig } from '../kafka/client.ts';
import { createKafkaBus } from '../kafka/kafka-bus.ts';

/** Times short enough for tests; 6 s is the shortest session that a broker allows. */
export const TEST_TIMING = { sessionMs: 6_000, firstRestMs: 20, longestRestMs: 100, maxAttempts: 4 };

/**
 * Opens and starts a bus for the contract's tests, in their own process and in child processes.
 *
 * @param argument `host:port` of the broker, or how to connect to it as JSON
 */
export async function openBus(argument: string, timing = TEST_TIMING): Promise<Bus> {
  const log = createLog('bus-test', 'silent');
  const connection: Partial<KafkaConfig> = argument.startsWith('{') ? JSON.parse(argument) : { brokers: [argument] };
  const bus = createKafkaBus({ brokers: [], ...connection, clientId: 'bus-test', log, timing });
  await bus.start();
  return bus;
}
