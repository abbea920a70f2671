/** Helpers for the tests of several packages; in no image. */
export { issue } from '../tls/testing/issue.ts';
export { mountCertificate } from '../tls/testing/mount-secret.ts';
export { cpuMs } from './cpu-ms.ts';
export { type Examined, examined } from './examined.ts';
export { type FreshDatabase, freshDatabase } from './fresh-database.ts';
export { gate } from './gate.ts';
export { superlinear } from './growth.ts';
export { heapGrowth, heapUsed } from './heap-growth.ts';
export { type MigratedDatabase, migratedDatabase, migrateTo } from './migrated-database.ts';
export { ofSessions, openFiles, processorSeconds, residentMib, threads } from './processes.ts';
export { testCall } from './test-call.ts';
export { unerased } from './unerased.ts';
export { unscopedCommands } from './unscoped-commands.ts';
export { until } from './until.ts';
