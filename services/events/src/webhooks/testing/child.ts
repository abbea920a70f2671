import { createLog, createMetrics } from '@parley/runtime';
import { parseAllowList } from '@parley/runtime/outbound';
import { MongoClient } from 'mongodb';
import { TIMING } from '../../domain/progress.ts';
import { createWebhooks } from '../create-webhooks.ts';

// Delivers what is due in a database until it is killed.
const [uri, name, secret] = process.argv.slice(2) as [string, string, string];
const db = new MongoClient(uri).db(name);
const webhooks = { most: 10, allow: parseAllowList('127.0.0.0/8'), timeoutMs: 5_000, concurrency: 4, endpoints: 20 };
const { components } = createWebhooks({ secret, kept: 1_000_000, webhooks } as never, {
  db,
  log: createLog('events', 'silent'),
  metrics: createMetrics(),
  timing: { ...TIMING, firstPauseMs: 20, longestPauseMs: 200, firstProbeMs: 20, longestProbeMs: 200 },
});
for (const component of components) await component.start?.(new AbortController().signal);
