import { runDeadLettersProgram } from './bus/dead-letters-program.ts';
import { ConfigError, readEnv } from './env.ts';
import { readBusConfig } from './service-config.ts';

/** The operators' program, run in the pod of any process: it reads the same bus settings. */
try {
  const bus = readBusConfig(readEnv(process.env), 'dead-letters');
  process.exitCode = await runDeadLettersProgram({
    args: process.argv.slice(2),
    command: 'node packages/runtime/src/dead-letters.ts',
    find: async () => bus,
    unavailable:
      'kafka' in bus ? `Kafka does not answer at ${bus.kafka.brokers.join(', ')}.` : 'MongoDB does not answer.',
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
