import { ConfigError, readEnv } from './env.ts';
import { createLog } from './log.ts';
import { grantRights } from './objects/grant-rights.ts';
import { readLogConfig, readObjectsConfig } from './service-config.ts';

/** Runs in a cluster before the knowledge service, with the keys of the root user of the chart's own file store. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
try {
  const env = readEnv(process.env);
  const { logLevel, logFormat } = readLogConfig(env);
  const objects = readObjectsConfig(env);
  if (!('s3' in objects)) throw new ConfigError('MINIO_ENDPOINT is not set.');
  await grantRights(objects.s3, createLog('rights', logLevel, logFormat), stopping.signal);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
