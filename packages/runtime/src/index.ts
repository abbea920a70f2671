export { deriveKey, deriveKeys, isTurning, type RootSecret } from './derive-key.ts';
export { emailAddress, isEmailAddress, normalAddress } from './email-address.ts';
export { ConfigError, type Env, readEnv, type Variables } from './env.ts';
export * from './errors.ts';
export { estimateTokens } from './estimate-tokens.ts';
export { deriveId, isUuid, randomId } from './ids.ts';
export { inBackground } from './in-background.ts';
export { linkedSignal } from './linked-signal.ts';
export { createLog, type Log, type LogFormat } from './log.ts';
export { createLoop, type Loop } from './loop.ts';
export { addressIn, isInNetworks, networkOf, readNetworks } from './networks.ts';
export { createNotifier, type Notifier } from './notifier.ts';
export { openAiFailure } from './openai-failure.ts';
export { type OpenAiServer, readOpenAiModels, readOpenAiServer } from './openai-settings.ts';
export { type Page, type PageRequest, pageLimit } from './paging.ts';
export { CannotRun, type Component, type Process, run, within } from './process.ts';
export { VERSION } from './release.ts';
export { type RetryPolicy, retry, retryOnConflict } from './retry.ts';
export { createSealer } from './sealer.ts';
export {
  type BusConfig,
  type Listen,
  type ObjectsConfig,
  type OpsConfig,
  type ProcessConfig,
  readBusConfig,
  readLogConfig,
  readMailDomain,
  readMongo,
  readObjectsConfig,
  readOps,
  readPepper,
  readProcessConfig,
  readRpcTls,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from './service-config.ts';
export { accountShare, createShares, createTally, createTurns } from './tally.ts';
export { createLatestAnswer, type ProbePauses } from './telemetry/latest-answer.ts';
export { createMetrics, type Metrics, type Outcome, type Waiting } from './telemetry/metrics.ts';
export { createOpsServer } from './telemetry/ops-server.ts';
export { startTracing } from './telemetry/start-tracing.ts';
export { activeHeaders, activeTrace, beginSpan, headersOf, isTraced, traced, traceOf } from './telemetry/tracing.ts';
export { createTicketTokens, type TicketTokens } from './ticket-tokens.ts';
export { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from './tls/certificate.ts';
export { seal, unseal } from './vault.ts';
