import { expect, test } from '@jest/globals';
import { createAuth } from '@parley/auth';
import { readEnv } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../deploy/stack/server.ts';
import { readConfig } from '../../services/auth/src/config.ts';

/** The startup and liveness probes request /healthz, the readiness probe /readyz. */
test('a service that waits for its stores is alive but not ready, so Kubernetes lets it wait', async () => {
  const [ops, unused] = [await freePort(), await freePort()];
  const variables = { PARLEY_SECRET: 's'.repeat(32), OPS_PORT: `${ops}`, LOG_LEVEL: 'silent' };
  const auth = createAuth(readConfig(readEnv({ ...variables, MONGODB_URI: `mongodb://127.0.0.1:${unused}/` })));
  const started = auth.start().catch(() => {});
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${ops}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    await until(
      () => ask('/healthz'),
      (status) => status === 200,
    );
    expect(await ask('/readyz')).toBe(503);
  } finally {
    await auth.stop();
    await started;
  }
});
