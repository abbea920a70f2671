import { readEnv } from '@parley/runtime';
import { readDataDir } from '../embedded/src/config.ts';
import { readInspected } from '../inspect.ts';
import { readGivenServers } from './config.ts';
import { startStack } from './start-stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  });
const stopRequested = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

try {
  const env = readEnv(process.env);
  const dataDir = env.has('PARLEY_DATA') ? readDataDir(env) : '.parley/stack';
  const inspected = readInspected(process.argv.slice(2));
  const port = env.get('PORT');
  const stack = await startStack({ dataDir, variables: readGivenServers(), port, inspected, say });
  const { variables, processes, logDir, baseUrl } = stack;
  say(`
Parley runs: ${baseUrl}/v1 (Ctrl-C stops it)
Create an account and its first key: PARLEY_DATA=${dataDir} npm run account -- create NAME

Operators (/healthz, /readyz, /metrics):`);
  for (const { name, ops, pid } of Object.values(processes)) say(`  ${name.padEnd(14)}${ops}  process ${pid}`);
  say(`
Kafka:    ${variables['KAFKA_BROKERS']}
MinIO:    ${variables['MINIO_ENDPOINT']}${stack.minio ? `  ${stack.minio.accessKey} / ${stack.minio.secretKey}` : ''}
Database: ${stack.engine ? `the embedded engine, process ${stack.engine.pid}` : 'the server of MONGODB_URI'}
Logs:     ${logDir}`);
  await stopRequested;
  say('Stopping …');
  await stack.stop();
  say('Stopped. All data is kept.');
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
