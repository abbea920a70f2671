export { emailAddress, isEmailAddress, normalAddress } from './email-address.ts';
export { ConfigError, type Env, readEnv } from './env.ts';
export * from './errors.ts';
export { keepLatest } from './keep-latest.ts';
export { type LinkedSignal, linkedSignal } from './linked-signal.ts';
export { createLog, type Log, type LogFormat } from './log.ts';
export { createLoop, type Loop } from './loop.ts';
export { type OpenAiFailure, openAiFailure } from './openai-failure.ts';
export { type OpenAiServer, readOpenAiModels, readOpenAiServer } from './openai-settings.ts';
export { CannotRun, type Component, createProcess, type Process, run, within } from './process.ts';
export { type RetryPolicy, retry } from './retry.ts';
export {
  type BusConfig,
  type Listen,
  type ObjectsConfig,
  type ProcessConfig,
  readBusConfig,
  readLogConfig,
  readObjectsConfig,
  readOps,
  readProcessConfig,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from './service-config.ts';
export { createMetrics, type Metrics, type Outcome } from './telemetry/metrics.ts';
export { createOpsServer } from './telemetry/ops-server.ts';
