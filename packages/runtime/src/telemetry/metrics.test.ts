import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('buckets distinguish work of one hour from work of two, and each outcome has its own count', async () => {
  const metrics = createMetrics();
  const outcomes = ['ok', 'failed', 'dead', 'refused', 'stopped', 'lost', 'unavailable'] as const;
  for (const outcome of outcomes) metrics.handled('training', 'trainer', outcome, 2_000);
  const { text } = await metrics.scrape();
  const bucket = (le: number, outcome: string) =>
    Number(new RegExp(`handled_seconds_bucket{le="${le}",.*outcome="${outcome}"} (\\d+)`).exec(text)?.[1]);
  for (const outcome of outcomes)
    expect([bucket(1_800, outcome), bucket(3_600, outcome), bucket(7_200, outcome)]).toEqual([0, 1, 1]);
});
