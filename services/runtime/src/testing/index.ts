/** What the tests of several packages need; no image holds it. */
export { gate } from './gate.ts';
export { testCall } from './test-call.ts';
export { unscopedCommands } from './unscoped-commands.ts';
export { until } from './until.ts';
