import { expect, test } from '@jest/globals';
import { inBackground } from './in-background.ts';
import { createLog } from './log.ts';
import { withOpsServer } from './rpc-process.ts';
import { createMetrics } from './telemetry/metrics.ts';

test('what starts in the background is watched as a dependency, and readiness does not wait for it', async () => {
  const log = createLog('test', 'silent');
  const metrics = createMetrics();
  const away = { name: 'mongodb', ready: () => Promise.reject(new Error('MongoDB is unavailable')) };
  const process = withOpsServer({ name: 'test', ops: undefined }, log, metrics, [inBackground(away, log)]);
  await process.start();
  try {
    expect(await process.unready()).toEqual([]);
    expect((await metrics.scrape()).text).toContain('parley_dependency_up{dependency="mongodb"} 0');
  } finally {
    await process.stop();
  }
});
