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

test('what is not known is no number, and what does not answer is not up', async () => {
  const metrics = createMetrics();
  metrics.queue('training', async () => ({ depth: 3, oldestAge: 7 }));
  metrics.outbox('items', () => Promise.reject(new Error('unavailable')));
  metrics.dependency('bus', () => Promise.reject(new Error('unavailable')));
  metrics.tokens('model', 120);
  metrics.tokens('model', 3);
  const { text } = await metrics.scrape();
  const lines = text.split('\n');
  for (const line of [
    'parley_queue_depth{queue="training"} 3',
    'parley_queue_oldest_age_seconds{queue="training"} 7',
    'parley_outbox_events{collection="items"} Nan',
    'parley_outbox_oldest_age_seconds{collection="items"} Nan',
    'parley_dependency_up{dependency="bus"} 0',
    'parley_tokens_total{kind="model"} 123',
  ])
    expect(lines).toContain(line);
});
